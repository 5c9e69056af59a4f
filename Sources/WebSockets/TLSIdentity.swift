internal import CLibwebsockets
import Glibc

/// What OpenSSL keeps for all TLS connections of a server.
struct TLSContext {
    private let handle: OpaquePointer

    /// That of a virtual host, which owns it.
    init(of handle: OpaquePointer) { self.handle = handle }

    /// TLS 1.2 or later, and nothing that was found to be weak since.
    func harden() {
        SSL_CTX_ctrl(handle, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil)
        SSL_CTX_set_options(handle, samelist_tls_options)
    }

    /// Shows this certificate from the next connection on; those that are there go on. Throws where
    /// the files cannot be used together, and then nothing has changed.
    func use(_ files: TLSFiles) throws(WebSocketError) {
        try Self.check(files)
        try Self.load(files, into: handle)
    }

    /// Whether both files can be read, belong together and hold today.
    static func check(_ files: TLSFiles) throws(WebSocketError) {
        guard let draft = SSL_CTX_new(TLS_server_method()) else {
            throw .badCertificate("OpenSSL has no room for a certificate.")
        }
        defer { SSL_CTX_free(draft) }
        try load(files, into: draft)
        guard let certificate = SSL_CTX_get0_certificate(draft) else {
            throw .badCertificate("\(files.certificate) holds no certificate.")
        }
        if X509_cmp_current_time(X509_get0_notAfter(certificate)) < 0 {
            throw .badCertificate("The certificate \(files.certificate) has expired.")
        }
        if X509_cmp_current_time(X509_get0_notBefore(certificate)) > 0 {
            throw .badCertificate("The certificate \(files.certificate) is not valid yet.")
        }
    }

    private static func load(
        _ files: TLSFiles, into context: OpaquePointer
    ) throws(WebSocketError) {
        for (file, what) in [(files.certificate, "certificate"), (files.key, "key")]
        where access(file, R_OK) != 0 {
            let why = String(cString: strerror(errno))
            throw .badCertificate("The \(what) \(file) cannot be read: \(why).")
        }
        // Nobody sits there to type the password of a key.
        SSL_CTX_set_default_passwd_cb(context) { _, _, _, _ in 0 }
        ERR_clear_error()
        guard SSL_CTX_use_certificate_chain_file(context, files.certificate) == 1 else {
            throw .badCertificate(
                "The certificate \(files.certificate) cannot be read: \(reason()).")
        }
        guard SSL_CTX_use_PrivateKey_file(context, files.key, SSL_FILETYPE_PEM) == 1,
            SSL_CTX_check_private_key(context) == 1
        else {
            throw .badCertificate(
                "The key \(files.key) cannot be used with \(files.certificate): \(reason()).")
        }
    }

    /// What OpenSSL says of its last failure, without its own places in the code.
    private static func reason() -> String {
        let code = ERR_peek_last_error()
        ERR_clear_error()
        guard code != 0, let text = ERR_reason_error_string(code) else { return "it is refused" }
        return String(cString: text)
    }
}

extension WebSocketServer {
    /// Reads the files of the certificate anew, and shows what they hold from the next connection
    /// on. Throws where they cannot be used; the old ones stay then.
    package func reloadCertificate() throws(WebSocketError) {
        loop.preconditionOnLoop()
        guard let tls else { return }
        guard let tlsContext else {
            throw .badCertificate("libwebsockets has not told where its certificate is kept.")
        }
        try tlsContext.use(tls)
    }

    /// libwebsockets has made the context of this server's virtual host.
    func adopt(_ context: TLSContext) {
        context.harden()
        tlsContext = context
    }
}
