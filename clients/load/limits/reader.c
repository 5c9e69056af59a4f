// The writer and all readers, who take the times.
#include "limits.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PATIENCE_MS = 30000 };

struct crowd {
    const struct options *options;
    int epoll, writer;
    int *readers;
    uint64_t *got;  // frames, or bytes where the bare sender sends them
    struct frame_reader *frames;
    uint64_t aim;  // what each reader is to get until it is `whole`
    int whole;
    uint64_t edits;  // written
    size_t unwritten;  // bytes of the edit under way that the network has not taken
    unsigned char *edit;
    size_t edit_length;
};

static void connect_all(struct crowd *c, int port) {
    const struct options *o = c->options;
    for (int at = 0; at <= o->clients; at++) {
        int fd = o->server_port ? join_list(port, at) : connect_to(port);
        set_nonblocking(fd);
        if (at == 0) {
            c->writer = fd;
        } else {
            c->readers[at - 1] = fd;
        }
        watch(c->epoll, fd, EPOLLIN, at, 1);
    }
}

// A server hangs up on readers that say nothing for long, as they do on a slow machine.
static void answer_ping(struct crowd *c, int reader) {
    static const unsigned char pong[] = {0x8A, 0x80, 0, 0, 0, 0};
    send(c->readers[reader], pong, sizeof pong, MSG_NOSIGNAL);
    c->frames[reader].pinged = 0;
}

static void take(struct crowd *c, int reader) {
    static unsigned char input[262144];
    while (1) {
        ssize_t count = recv(c->readers[reader], input, sizeof input, 0);
        if (count < 0 && errno == EAGAIN) return;
        if (count <= 0) fail("a reader was cut off");
        uint64_t before = c->got[reader];
        c->got[reader] += c->options->server_port
                              ? (uint64_t)count_entries(&c->frames[reader], input, count)
                              : (uint64_t)count;
        c->whole += before < c->aim && c->got[reader] >= c->aim;
        if (c->frames[reader].pinged) answer_ping(c, reader);
        if ((size_t)count < sizeof input) return;
    }
}

// Writes edits until the network takes no more, or `until` of them are written.
static void write_edits(struct crowd *c, uint64_t until) {
    while (c->edits < until || c->unwritten > 0) {
        if (c->unwritten == 0) {
            c->edits++;
            if (c->options->server_port)
                c->edit_length = edit_frame(c->edit, c->options->bytes, c->edits);
            c->unwritten = c->edit_length;
        }
        const unsigned char *rest = c->edit + c->edit_length - c->unwritten;
        ssize_t done = send(c->writer, rest, c->unwritten, MSG_NOSIGNAL);
        if (done < 0 && errno == EAGAIN) break;
        if (done < 0) fail("the writer was cut off");
        c->unwritten -= done;
    }
    int more = c->edits < until || c->unwritten > 0;
    watch(c->epoll, c->writer, more ? EPOLLIN | EPOLLOUT : EPOLLIN, 0, 0);
}

// Waits until every reader has what it is to get. Answers 0 where it took too long.
static int wait_for_all(struct crowd *c, uint64_t until) {
    struct epoll_event events[512];
    while (c->whole < c->options->clients) {
        int count = epoll_wait(c->epoll, events, 512, PATIENCE_MS);
        if (count == 0) return 0;
        if (count < 0 && errno != EINTR) fail("epoll_wait");
        for (int at = 0; at < count; at++) {
            uint64_t tag = events[at].data.u64;
            if (tag > 0) {
                take(c, tag - 1);
                continue;
            }
            unsigned char answers[65536];
            if (events[at].events & EPOLLIN) {
                ssize_t got = recv(c->writer, answers, sizeof answers, 0);
                if (got == 0) fail("the writer was cut off");
            }
            if (events[at].events & EPOLLOUT) write_edits(c, until);
        }
    }
    return 1;
}

// Writes `count` edits and waits until all have them.
static int deliver(struct crowd *c, uint64_t count) {
    uint64_t until = c->edits + count;
    c->aim = c->options->server_port ? until : until * c->options->bytes;
    c->whole = 0;
    write_edits(c, until);
    return wait_for_all(c, until);
}

static int by_size(const void *left, const void *right) {
    uint64_t l = *(const uint64_t *)left, r = *(const uint64_t *)right;
    return l < r ? -1 : l > r;
}

static void note_latency(struct figures *figures, uint64_t *times, int count) {
    const double ranks[] = {0.5, 0.9, 0.95, 0.99, 0.999, 1};
    qsort(times, count, sizeof *times, by_size);
    for (int at = 0; at < 6; at++) {
        int index = (int)(ranks[at] * count + 0.999999) - 1;
        figures->latency[at] = times[index < 0 ? 0 : index];
    }
}

static struct crowd gather(int port, const struct options *o) {
    struct crowd c = {.options = o, .epoll = epoll_create1(EPOLL_CLOEXEC)};
    c.readers = calloc(o->clients, sizeof *c.readers);
    c.got = calloc(o->clients, sizeof *c.got);
    c.frames = calloc(o->clients, sizeof *c.frames);
    c.edit = calloc(1, o->bytes + 512);
    if (c.epoll < 0 || !c.readers || !c.got || !c.frames || !c.edit) fail("memory");
    c.edit_length = o->bytes;
    connect_all(&c, port);
    return c;
}

struct figures measure(int port, const struct options *o, void (*mark)(int is_end)) {
    struct crowd c = gather(port, o);
    struct figures figures = {.frames = (uint64_t)o->edits * o->clients};
    uint64_t *times = calloc(o->edits, sizeof *times);
    if (!times) fail("memory");
    int warm = o->edits / 10, fine = 1;
    for (int at = 0; fine && at < warm; at++) fine = deliver(&c, 1);
    mark(0);
    uint64_t begun = now_ns();
    if (o->flat_out) {
        fine = fine && deliver(&c, o->edits);
    } else {
        for (int at = 0; fine && at < o->edits; at++) {
            uint64_t sent = now_ns();
            fine = deliver(&c, 1);
            times[at] = now_ns() - sent;
        }
    }
    figures.seconds = (now_ns() - begun) / 1e9;
    mark(1);
    if (!o->flat_out) note_latency(&figures, times, o->edits);
    figures.failed = !fine;
    close(c.writer);
    return figures;
}
