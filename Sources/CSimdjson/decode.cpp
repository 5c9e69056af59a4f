#include "CSimdjson.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>
#include <vector>

#include <simdjson.h>

using simdjson::error_code;

namespace {

/// Buffers of a parser that met a bigger message are given back before the next one.
constexpr size_t kept_capacity = 1 << 20;

json_result result(error_code error) {
    switch (error) {
    case simdjson::SUCCESS: return json_parsed;
    case simdjson::EMPTY: return json_empty;
    case simdjson::UTF8_ERROR: return json_not_utf8;
    case simdjson::STRING_ERROR:
    case simdjson::UNESCAPED_CHARS: return json_bad_string;
    case simdjson::NUMBER_ERROR: return json_bad_number;
    case simdjson::DEPTH_ERROR: return json_too_deep;
    case simdjson::CAPACITY:
    case simdjson::MEMALLOC: return json_no_memory;
    default: return json_bad_syntax;
    }
}

/// Finds members that stand twice in one object, in one pass over the tape.
class DuplicateSearch {
  public:
    /// `names` is room to work in, kept from message to message.
    DuplicateSearch(const simdjson::dom::document &document, std::vector<std::string_view> &names)
        : words(document.tape.get()), strings(document.string_buf.get()), names(names) {}

    bool finds_any() {
        // The first word is the root's; its payload is the index of the last.
        const size_t end = words[0] & payload_mask;
        for (size_t at = 1; at < end; at = next_word(at)) {
            if (type(at) == '{' && has_duplicate(at)) { return true; }
        }
        return false;
    }

  private:
    static constexpr uint64_t payload_mask = (uint64_t(1) << 56) - 1;
    /// Up to here each pair is compared; beyond, sorting costs less.
    static constexpr size_t few = 12;

    const uint64_t *words;
    const uint8_t *strings;
    std::vector<std::string_view> &names;

    char type(size_t at) const { return char(words[at] >> 56); }

    size_t next_word(size_t at) const {
        const char kind = type(at);
        return at + (kind == 'l' || kind == 'u' || kind == 'd' ? 2 : 1);
    }

    size_t next_value(size_t at) const {
        const char kind = type(at);
        return kind == '{' || kind == '[' ? uint32_t(words[at]) : next_word(at);
    }

    std::string_view text(size_t at) const {
        const uint8_t *start = strings + (words[at] & payload_mask);
        uint32_t length;
        std::memcpy(&length, start, sizeof length);
        return {reinterpret_cast<const char *>(start + sizeof length), length};
    }

    bool has_duplicate(size_t object) {
        names.clear();
        const size_t end = uint32_t(words[object]) - 1;
        for (size_t at = object + 1; at < end; at = next_value(at + 1)) {
            const std::string_view name = text(at);
            if (names.size() < few && std::find(names.begin(), names.end(), name) != names.end()) {
                return true;
            }
            names.push_back(name);
        }
        if (names.size() <= few) { return false; }
        std::sort(names.begin(), names.end());
        return std::adjacent_find(names.begin(), names.end()) != names.end();
    }
};

} // namespace

struct json_parser {
    size_t max_depth;
    size_t capacity = 0;
    std::unique_ptr<simdjson::dom::parser> parser;
    simdjson::dom::document document;
    std::unique_ptr<uint8_t[]> padded;
    std::vector<std::string_view> names;

    bool reserve(size_t count) {
        const bool shrinks = capacity > kept_capacity && count <= kept_capacity;
        if (parser && count <= capacity && !shrinks) { return true; }
        size_t wanted = 512;
        while (wanted < count) { wanted *= 2; }
        release();
        std::unique_ptr<simdjson::dom::parser> fresh(new (std::nothrow) simdjson::dom::parser());
        padded.reset(new (std::nothrow) uint8_t[wanted + simdjson::SIMDJSON_PADDING]());
        if (!fresh || !padded || fresh->allocate(wanted, max_depth) || document.allocate(wanted)) {
            release();
            return false;
        }
        parser = std::move(fresh);
        capacity = wanted;
        return true;
    }

    void release() {
        parser.reset();
        padded.reset();
        capacity = 0;
    }
};

json_parser *json_parser_create(size_t max_depth) {
    return new (std::nothrow) json_parser{max_depth};
}

void json_parser_free(json_parser *parser) { delete parser; }

json_result json_parse(json_parser *parser, const uint8_t *bytes, size_t count, json_tape *tape) {
    if (count == 0) { return json_empty; }
    if (count > UINT32_MAX / 2 || !parser->reserve(count)) { return json_no_memory; }
    std::memcpy(parser->padded.get(), bytes, count);
    const auto root = parser->parser->parse_into_document(
        parser->document, parser->padded.get(), count, false);
    if (root.error()) { return result(root.error()); }
    try {
        if (DuplicateSearch(parser->document, parser->names).finds_any()) {
            return json_duplicate_member;
        }
    } catch (const std::bad_alloc &) {
        return json_no_memory;
    }
    *tape = {parser->document.tape.get(), parser->document.string_buf.get()};
    return json_parsed;
}
