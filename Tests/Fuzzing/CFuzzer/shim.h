#pragma once

#include <stddef.h>
#include <stdint.h>

/// libFuzzer as a library (LLVM's docs/LibFuzzer.rst); `-sanitize=fuzzer` links it. SwiftPM names the
/// `main` of every executable itself, so libFuzzer's own cannot be used.
int LLVMFuzzerRunDriver(
    int *argc, char ***argv, int (*callback)(const uint8_t *start, size_t count));
