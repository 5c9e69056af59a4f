#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A C face over simdjson's DOM parser: strict RFC 8259 in, a flat tape of 64-bit words out.
///
/// The tape is simdjson's own, as its doc/tape.md defines it: the type stands in the top byte of a
/// word, a payload in the other seven. `{` and `[`: low 32 bits are the index behind the closing
/// word. `"`: offset into `strings`, where four bytes of length and the bytes stand. `l`, `u`, `d`:
/// the number is the next word. `t`, `f`, `n`: themselves. The root value stands at index 1.
typedef struct json_parser json_parser;

typedef struct {
    const uint64_t *words;
    const uint8_t *strings;
} json_tape;

typedef enum __attribute__((enum_extensibility(closed))) {
    json_parsed,
    json_empty,
    json_not_utf8,
    json_bad_string,
    json_bad_number,
    json_too_deep,
    json_duplicate_member,
    json_bad_syntax,
    json_no_memory,
} json_result;

/// `NULL` without memory. A parser belongs to one thread at a time.
json_parser *json_parser_create(size_t max_depth);
void json_parser_free(json_parser *parser);

/// Copies `bytes` into the parser's padded buffer and parses them. The tape stands until the next
/// call with the same parser. An object that names a member twice is refused.
json_result json_parse(json_parser *parser, const uint8_t *bytes, size_t count, json_tape *tape);

#ifdef __cplusplus
}
#endif
