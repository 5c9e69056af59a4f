#pragma once
#include <pthread.h>
#include <sys/socket.h>
#include <uv.h>

/* glibc shows these to GNU sources only, and Swift is none. */
extern int pthread_setname_np(pthread_t thread, const char *name);
extern int accept4(int listener, struct sockaddr *address, socklen_t *length, int flags);
