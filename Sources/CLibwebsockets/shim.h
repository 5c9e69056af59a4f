#pragma once
#include <libwebsockets.h>
#include <openssl/err.h>

// Macros that Swift does not import: no compression (CRIME), no renegotiation, and the server's
// own order of ciphers.
static const uint64_t samelist_tls_options =
    SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE;
