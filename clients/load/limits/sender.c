// The bare sender: each connection is a count of bytes sent, and the bytes are the same for all.
#include "limits.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

struct sender {
    const struct options *options;
    int epoll, writer;
    int *readers;
    uint64_t *sent;         // bytes, of each reader
    unsigned char *waits;   // whether it waits for room
    int waiting;
    unsigned char *frames;  // one more than a write has, so that it may begin within one
    uint64_t received, due;  // bytes of edits that came, and the whole frames among them
};

static int accept_one(int listener) {
    int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) fail("accept");
    int on = 1;
    setsockopt(fd, 6 /* TCP */, 1 /* TCP_NODELAY */, &on, sizeof on);
    return fd;
}

// A server's text frame: the header that says its length, then an `entries` message.
static void fill_frame(unsigned char *frame, size_t bytes) {
    size_t header = bytes - 2 < 126 ? 2 : bytes - 4 < 65536 ? 4 : 10, length = bytes - header;
    frame[0] = 0x81;
    frame[1] = header == 2 ? length : header == 4 ? 126 : 127;
    for (size_t at = 2; at < header; at++) frame[at] = length >> (8 * (header - 1 - at));
    const char *start = "{\"t\":\"entries\",\"list\":\"limits\",";
    memset(frame + header, 'x', length);
    memcpy(frame + header, start, strlen(start));
}

static void want_room(struct sender *s, int reader, int wants) {
    if (s->waits[reader] == wants) return;
    s->waits[reader] = wants;
    s->waiting += wants ? 1 : -1;
    watch(s->epoll, s->readers[reader], wants ? EPOLLOUT : 0, reader + 1, 0);
}

// Sends one reader what it lacks, at most `per_write` frames with each call.
static void serve_reader(struct sender *s, int reader) {
    size_t bytes = s->options->bytes;
    while (s->sent[reader] < s->due) {
        size_t within = s->sent[reader] % bytes;
        uint64_t lacks = s->due - s->sent[reader];
        size_t most = bytes * s->options->per_write - within;
        size_t count = lacks < most ? lacks : most;
        ssize_t done = send(s->readers[reader], s->frames + within, count, MSG_NOSIGNAL);
        if (done < 0) {
            if (errno != EAGAIN) fail("send");
            return want_room(s, reader, 1);
        }
        s->sent[reader] += done;
    }
    want_room(s, reader, 0);
}

// Takes edits in; nothing more while a reader lags. Answers 0 when the writer hung up.
static int take_edits(struct sender *s) {
    static unsigned char input[65536];
    ssize_t count = recv(s->writer, input, sizeof input, 0);
    if (count == 0) return 0;
    if (count < 0) {
        if (errno != EAGAIN) fail("recv");
        return 1;
    }
    s->received += count;
    s->due = s->received / s->options->bytes * s->options->bytes;
    for (int reader = 0; reader < s->options->clients; reader++) serve_reader(s, reader);
    return 1;
}

static void set_up(struct sender *s, int listener) {
    const struct options *o = s->options;
    s->readers = calloc(o->clients, sizeof *s->readers);
    s->sent = calloc(o->clients, sizeof *s->sent);
    s->waits = calloc(o->clients, 1);
    s->frames = malloc(o->bytes * (o->per_write + 1));
    s->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (!s->readers || !s->sent || !s->waits || !s->frames || s->epoll < 0) fail("memory");
    for (int at = 0; at <= o->per_write; at++) fill_frame(s->frames + at * o->bytes, o->bytes);
    s->writer = accept_one(listener);
    watch(s->epoll, s->writer, EPOLLIN, 0, 1);
    for (int reader = 0; reader < o->clients; reader++) {
        s->readers[reader] = accept_one(listener);
        watch(s->epoll, s->readers[reader], 0, reader + 1, 1);
    }
}

uint64_t serve(int listener, const struct options *options) {
    struct sender s = {.options = options};
    set_up(&s, listener);
    uint64_t warm = (uint64_t)(options->edits / 10) * options->bytes, begun = 0;
    int hears = 1;
    struct epoll_event events[256];
    while (1) {
        int count = epoll_wait(s.epoll, events, 256, -1);
        if (count < 0 && errno != EINTR) fail("epoll_wait");
        for (int at = 0; at < count; at++) {
            uint64_t tag = events[at].data.u64;
            if (tag > 0) {
                if (events[at].events & EPOLLOUT) serve_reader(&s, tag - 1);
                continue;
            }
            if (begun == 0 && s.received >= warm) begun = own_cpu_ns();
            if (!take_edits(&s)) return own_cpu_ns() - begun;
        }
        // Level-triggered: not asked about the writer while somebody lags.
        if (hears != (s.waiting == 0)) {
            hears = s.waiting == 0;
            watch(s.epoll, s.writer, hears ? EPOLLIN : 0, 0, 0);
        }
    }
}
