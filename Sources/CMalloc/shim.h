#pragma once
// What Swift's own module of the C library leaves out: how its allocator is set.
#include <malloc.h>
