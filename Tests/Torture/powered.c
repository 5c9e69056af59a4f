// Preloaded into a server: remembers each file as it was when it was last flushed, so that a cut of
// power can be played. What is in FOLDER/NAME was flushed by the time that the flush returned.
//     POWER_DATA=DATA POWER_FLUSHED=FOLDER LD_PRELOAD=power.so samelistd serve …
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char buffer[1 << 20];

static void copy(const char *from, const char *to) {
    const int in = open(from, O_RDONLY | O_CLOEXEC);
    const int out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    ssize_t count;
    if (in < 0 || out < 0) { abort(); }
    while ((count = read(in, buffer, sizeof buffer)) > 0) {
        if (write(out, buffer, (size_t)count) != count) { abort(); }
    }
    close(in);
    close(out);
}

// One thread at a time: only the storage's thread flushes.
static void remember(int descriptor) {
    const char *data = getenv("POWER_DATA"), *flushed = getenv("POWER_FLUSHED");
    char link[64], path[PATH_MAX], kept[PATH_MAX + 16], draft[PATH_MAX + 32];
    struct stat status;
    if (!data || !flushed || fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) { return; }
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    const ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) { abort(); }
    path[length] = 0;
    const size_t start = strlen(data);
    if (strncmp(path, data, start) != 0 || path[start] != '/') { return; }
    snprintf(kept, sizeof kept, "%s/%s", flushed, path + start + 1);
    snprintf(draft, sizeof draft, "%s.part", kept);
    copy(path, draft);
    if (rename(draft, kept) != 0) { abort(); }
}

static int flush(const char *name, int descriptor) {
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    const int result = real(descriptor);
    if (result == 0) { remember(descriptor); }
    return result;
}

int fsync(int descriptor) { return flush("fsync", descriptor); }
int fdatasync(int descriptor) { return flush("fdatasync", descriptor); }
