// What the parts of `samelist-limits` share: a sender that does no more than epoll and send(), and
// readers that measure it, or a samelistd instead of it.
#pragma once
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // accept4
#endif
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { FRAME_LIMIT = 16 << 20, CLIENT_LIMIT = 20000 };

struct options {
    int clients;      // connections that get every edit
    int edits;        // measured; a tenth more go before them
    size_t bytes;     // of one frame, its header among them
    int per_write;    // frames in one send(), at most
    int flat_out;     // edits as fast as they are taken, instead of one at a time
    int server_port;  // of a samelistd to be measured instead of the bare sender; 0: none
    int server_pid;   // whose CPU time is counted then
    int json;
};

// What a run came to; sent from the readers' process to the sender's.
struct figures {
    int failed;
    double seconds;    // of the measured edits
    uint64_t frames;   // delivered in them
    uint64_t latency[6];  // ns to the last reader: p50 p90 p95 p99 p99.9 max; 0 flat out
};

// Ends the process with a sentence on standard error.
_Noreturn void fail(const char *what);
uint64_t now_ns(void);
// CPU time of a process, all its threads, in ns; its own is exact.
uint64_t own_cpu_ns(void);
uint64_t cpu_ns_of(int pid);
int connect_to(int port);
void write_all(int fd, const void *bytes, size_t count);
void set_nonblocking(int fd);
void watch(int epoll, int fd, uint32_t events, uint64_t tag, int is_new);

// Serves until the writer hangs up: every frame from the first connection goes to all others.
// Answers the CPU ns that went into the measured edits.
uint64_t serve(int listener, const struct options *options);

// Readers and the writer, in one process and one loop. `mark` is called as the measured part begins
// and ends.
struct figures measure(int port, const struct options *options, void (*mark)(int is_end));

// A WebSocket of samelist.v1 that has said hello and opened the list `limits`; blocks meanwhile.
int join_list(int port, int number);
// One edit of `bytes` as the writer's frame, masked; answers its length.
size_t edit_frame(unsigned char *out, size_t bytes, int number);
// Takes in what came on a WebSocket; answers how many frames of entries are whole now.
struct frame_reader {
    unsigned char header[48];  // of the frame under way, and the first bytes of its text
    size_t have, left;
    int pinged;  // a ping came that was not answered yet
};
int count_entries(struct frame_reader *reader, const unsigned char *bytes, size_t count);
