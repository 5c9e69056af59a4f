// As much of WebSockets and of samelist.v1 (docs/protocol.md) as readers and a writer need.
#include "limits.h"
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// A client's text frame; its mask is zero, so that the text stays as it is.
static size_t frame(unsigned char *out, const char *text, size_t length) {
    size_t header = length < 126 ? 2 : length < 65536 ? 4 : 10;
    out[0] = 0x81;
    out[1] = 0x80 | (header == 2 ? length : header == 4 ? 126 : 127);
    for (size_t at = 2; at < header; at++) out[at] = length >> (8 * (header - 1 - at));
    memset(out + header, 0, 4);
    memmove(out + header + 4, text, length);
    return header + 4 + length;
}

static void say(int fd, const char *text) {
    unsigned char bytes[1024];
    write_all(fd, bytes, frame(bytes, text, strlen(text)));
}

// Reads until `word` has come; for the few answers before a run.
static void expect(int fd, const char *word) {
    static char input[1 << 16];
    size_t have = 0;
    while (1) {
        ssize_t count = recv(fd, input + have, sizeof input - 1 - have, 0);
        if (count <= 0) fail(word);
        for (ssize_t at = 0; at < count; at++)
            if (input[have + at] == 0) input[have + at] = ' ';
        have += count;
        input[have] = 0;
        if (strstr(input, word)) return;
        if (have == sizeof input - 1) fail("the answers before a run are too long");
    }
}

int join_list(int port, int number) {
    int fd = connect_to(port);
    char text[512];
    snprintf(
        text, sizeof text,
        "GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Protocol: samelist.v1\r\n\r\n",
        port);
    write_all(fd, text, strlen(text));
    expect(fd, "\r\n\r\n");
    snprintf(
        text, sizeof text,
        "{\"t\":\"hello\",\"v\":1,\"client\":\"limits-%d-%d\",\"name\":\"limits\"}", (int)getpid(),
        number);
    say(fd, text);
    expect(fd, "\"welcome\"");
    say(fd, "{\"t\":\"open\",\"list\":\"limits\",\"create\":true}");
    expect(fd, "\"caught-up\"");
    return fd;
}

// The entry that comes of it takes about as many bytes as asked for.
size_t edit_frame(unsigned char *out, size_t bytes, int number) {
    enum { AROUND = 170, ROOM = 65536 };
    static char text[ROOM + 512];
    size_t fill = bytes < AROUND + 8 ? 8 : bytes - AROUND > ROOM ? ROOM : bytes - AROUND;
    // The first edit inserts the element, one for each process, that the others write to.
    const char *kind = number == 1 ? "insert" : "set";
    int head = snprintf(
        text, sizeof text,
        "{\"t\":\"submit\",\"list\":\"limits\",\"n\":%d,\"heard\":%d,\"ops\":[{\"%s\":\"row-%d\","
        "\"f\":{\"title\":\"%06d",
        number, number > 64 ? number - 64 : 0, kind, (int)getpid(), number);
    memset(text + head, 'x', fill);
    int tail = snprintf(text + head + fill, 64, "\"}}]}");
    return frame(out, text, head + fill + tail);
}

// A frame of entries is known by how its text begins.
static int is_entries(const struct frame_reader *reader, size_t header) {
    static const char start[] = "{\"t\":\"entries\"";
    return reader->have >= header + sizeof start - 1 &&
           memcmp(reader->header + header, start, sizeof start - 1) == 0;
}

static size_t header_length(const unsigned char *header) {
    return (header[1] & 127) < 126 ? 2 : (header[1] & 127) == 126 ? 4 : 10;
}

static size_t payload_length(const unsigned char *header) {
    size_t size = header_length(header), length = header[1] & 127;
    if (size > 2) length = 0;
    for (size_t at = 2; at < size; at++) length = length << 8 | header[at];
    return length;
}

int count_entries(struct frame_reader *reader, const unsigned char *bytes, size_t count) {
    int entries = 0;
    while (count > 0) {
        size_t step = 1;
        size_t header = reader->have >= 2 ? header_length(reader->header) : 2;
        if (reader->have < 2 || reader->have < header) {
            reader->header[reader->have++] = *bytes;
            if (reader->have >= 2 && reader->have == header_length(reader->header))
                reader->left = payload_length(reader->header);
        } else {
            step = reader->left < count ? reader->left : count;
            size_t room = sizeof reader->header - reader->have;
            memcpy(reader->header + reader->have, bytes, step < room ? step : room);
            reader->have += step < room ? step : room;
            reader->left -= step;
        }
        header = reader->have >= 2 ? header_length(reader->header) : 2;
        if (reader->have >= 2 && reader->have >= header && reader->left == 0) {
            entries += is_entries(reader, header);
            reader->pinged |= (reader->header[0] & 15) == 9;
            reader->have = 0;
        }
        bytes += step;
        count -= step;
    }
    return entries;
}
