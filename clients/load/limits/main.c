// `samelist-limits`: what the kernel alone takes to send the frames that a server of lists sends.
//
//     samelist-limits --clients 1000 --edits 1000 --bytes 150 [--per-write 16] [--flat-out]
//     samelist-limits … --server PORT --pid PID    the same readers on a samelistd
//
// Two processes over loopback TCP: a sender with epoll and send(), whose CPU time is counted, and
// the writer with all readers, which takes the times.
#include "limits.h"
#include <arpa/inet.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static struct options options = {.clients = 1000, .edits = 1000, .bytes = 150, .per_write = 1};
static uint64_t server_cpu;

static void mark_server(int is_end) {
    uint64_t cpu = options.server_pid ? cpu_ns_of(options.server_pid) : 0;
    server_cpu = is_end ? cpu - server_cpu : cpu;
}

static void mark_nothing(int is_end) { (void)is_end; }

static void usage(FILE *out) {
    fputs(
        "Usage: samelist-limits [--clients N] [--edits N] [--bytes N] [--per-write N]\n"
        "                       [--flat-out] [--json] [--server PORT --pid PID]\n\n"
        "Sends frames to N connections with epoll and send() and nothing else, one edit once\n"
        "the last reader has the one before, or --flat-out; tells the sender's CPU time for\n"
        "each frame delivered and the time to the last reader. With --server a samelistd is\n"
        "measured with the same readers. Exit codes: 0 done, 1 failed, 2 wrong usage.\n",
        out);
}

static long number(const char *text, const char *flag, long least, long most) {
    char *end;
    long value = strtol(text, &end, 10);
    if (*text && !*end && value >= least && value <= most) return value;
    fprintf(
        stderr, "samelist-limits: --%s is a whole number from %ld to %ld, not \"%.40s\"\n", flag,
        least, most, text);
    exit(2);
}

static void parse(int count, char **words) {
    static const struct option flags[] = {
        {"clients", 1, 0, 'c'}, {"edits", 1, 0, 'e'},  {"bytes", 1, 0, 'b'},
        {"per-write", 1, 0, 'w'}, {"flat-out", 0, 0, 'f'}, {"json", 0, 0, 'j'},
        {"server", 1, 0, 's'}, {"pid", 1, 0, 'p'}, {"help", 0, 0, 'h'}, {0}};
    int flag;
    while ((flag = getopt_long(count, words, "h", flags, NULL)) != -1) switch (flag) {
        case 'c': options.clients = number(optarg, "clients", 1, CLIENT_LIMIT); break;
        case 'e': options.edits = number(optarg, "edits", 1, 10000000); break;
        case 'b': options.bytes = number(optarg, "bytes", 64, FRAME_LIMIT); break;
        case 'w': options.per_write = number(optarg, "per-write", 1, 1024); break;
        case 's': options.server_port = number(optarg, "server", 1, 65535); break;
        case 'p': options.server_pid = number(optarg, "pid", 1, 1 << 30); break;
        case 'f': options.flat_out = 1; break;
        case 'j': options.json = 1; break;
        case 'h': usage(stdout); exit(0);
        default: usage(stderr); exit(2);
        }
    if (optind < count || (options.server_port && options.flat_out) ||
        options.bytes * options.per_write > FRAME_LIMIT) {
        usage(stderr);
        exit(2);
    }
}

// The readers' process, which hands its figures over a pipe.
static pid_t start_readers(int port, int listener, int result) {
    pid_t child = fork();
    if (child < 0) fail("fork");
    if (child > 0) return child;
    close(listener);
    struct figures figures = measure(port, &options, mark_nothing);
    write_all(result, &figures, sizeof figures);
    exit(0);
}

static struct figures run_bare(uint64_t *cpu) {
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), ends[2];
    if (listener < 0 || bind(listener, (void *)&address, length) || listen(listener, 4096) ||
        getsockname(listener, (void *)&address, &length) || pipe(ends))
        fail("listen");
    pid_t child = start_readers(ntohs(address.sin_port), listener, ends[1]);
    close(ends[1]);
    *cpu = serve(listener, &options);
    struct figures figures = {.failed = 1};
    if (read(ends[0], &figures, sizeof figures) != sizeof figures) figures.failed = 1;
    int status;
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) figures.failed = 1;
    return figures;
}

static void print(const struct figures *f, double cpu_us) {
    const char *mode = options.flat_out ? "flat out" : "one at a time";
    if (options.json)
        printf(
            "{\"v\":1,\"of\":\"%s\",\"mode\":\"%s\",\"clients\":%d,\"edits\":%d,\"bytes\":%zu,"
            "\"per_write\":%d,\"seconds\":%.6f,\"deliveries\":%llu,"
            "\"cpu_us_per_delivery\":%.4f,\"delivery_us\":{\"p50\":%.1f,\"p90\":%.1f,"
            "\"p95\":%.1f,\"p99\":%.1f,\"p99.9\":%.1f,\"max\":%.1f}}\n",
            options.server_port ? "samelistd" : "bare", mode, options.clients, options.edits,
            options.bytes, options.per_write, f->seconds, (unsigned long long)f->frames, cpu_us,
            f->latency[0] / 1e3, f->latency[1] / 1e3, f->latency[2] / 1e3, f->latency[3] / 1e3,
            f->latency[4] / 1e3, f->latency[5] / 1e3);
    else
        printf(
            "%s, %s: %d clients, %d edits of %zu bytes, %d to a write\n"
            "cpu       %.2f us a delivery; %.0f deliveries/s\n"
            "delivery  p50 %.0f  p90 %.0f  p95 %.0f  p99 %.0f  p99.9 %.0f  max %.0f us\n",
            options.server_port ? "samelistd" : "bare", mode, options.clients, options.edits,
            options.bytes, options.per_write, cpu_us, f->frames / f->seconds,
            f->latency[0] / 1e3, f->latency[1] / 1e3, f->latency[2] / 1e3, f->latency[3] / 1e3,
            f->latency[4] / 1e3, f->latency[5] / 1e3);
}

int main(int count, char **words) {
    parse(count, words);
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max < 131072 ? files.rlim_max : 131072;
        setrlimit(RLIMIT_NOFILE, &files);
        if (files.rlim_cur < (rlim_t)options.clients + 32) {
            fputs("samelist-limits: more connections than this process may open files\n", stderr);
            return 1;
        }
    }
    uint64_t cpu = 0;
    struct figures figures;
    if (options.server_port) {
        figures = measure(options.server_port, &options, mark_server);
        cpu = server_cpu;
    } else {
        figures = run_bare(&cpu);
    }
    if (figures.failed) {
        fputs("samelist-limits: not every frame arrived\n", stderr);
        return 1;
    }
    print(&figures, cpu / 1e3 / (double)figures.frames);
    return 0;
}
