// Sockets and clocks.
#include "limits.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

_Noreturn void fail(const char *what) {
    fprintf(stderr, "samelist-limits: %s: %s\n", what, strerror(errno));
    exit(1);
}

static uint64_t clock_ns(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * 1000000000u + time.tv_nsec;
}

uint64_t now_ns(void) { return clock_ns(CLOCK_MONOTONIC); }

uint64_t own_cpu_ns(void) { return clock_ns(CLOCK_PROCESS_CPUTIME_ID); }

uint64_t cpu_ns_of(int pid) {
    clockid_t clock;
    if (clock_getcpuclockid(pid, &clock) != 0) fail("no such process");
    return clock_ns(clock);
}

int connect_to(int port) {
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons(port),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;
    if (fd < 0 || connect(fd, (void *)&address, sizeof address)) fail("connect");
    setsockopt(fd, 6 /* TCP */, 1 /* TCP_NODELAY */, &on, sizeof on);
    return fd;
}

void write_all(int fd, const void *bytes, size_t count) {
    const char *rest = bytes;
    while (count > 0) {
        ssize_t done = write(fd, rest, count);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) fail("write");
        rest += done;
        count -= done;
    }
}

void set_nonblocking(int fd) {
    if (fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK) != 0) fail("fcntl");
}

void watch(int epoll, int fd, uint32_t events, uint64_t tag, int is_new) {
    struct epoll_event event = {.events = events, .data.u64 = tag};
    if (epoll_ctl(epoll, is_new ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, fd, &event)) fail("epoll_ctl");
}
