// A pooler between clients and a server, which gives each transaction another connection.

import Foundation

/// pgbouncer in transaction mode, with fewer connections to the server than it has clients.
package final class PostgreSQLPooler: Sendable {
    private static let program = "/usr/sbin/pgbouncer"
    private let server: PostgreSQLServer
    private let process: pid_t
    /// The folder of the socket, for the parameter `host`.
    package let folder: String

    package static let isAvailable = FileManager.default.isExecutableFile(atPath: program)

    /// - Parameters:
    ///   - users: those that may log in, without passwords.
    ///   - size: the connections to the server, for each user.
    ///   - settings: further lines of its settings.
    package init(
        to server: PostgreSQLServer, users: [String], size: Int,
        settings more: [String] = ["pool_mode = transaction"]
    ) throws {
        self.server = server
        var template = Array("/tmp/coredata-pool-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        if let user = PostgreSQLServer.user { chown(folder, user.pw_uid, user.pw_gid) }
        let settings = """
            [databases]
            * = host=\(server.folder)
            [pgbouncer]
            listen_addr =
            unix_socket_dir = \(folder)
            listen_port = 5432
            auth_type = trust
            auth_file = \(folder)/users
            default_pool_size = \(size)
            max_client_conn = 200
            \(more.joined(separator: "\n"))
            """
        try Data(settings.utf8).write(to: URL(fileURLWithPath: folder + "/settings"))
        let names = users.map { "\"\($0)\" \"\"\n" }.joined()
        try Data(names.utf8).write(to: URL(fileURLWithPath: folder + "/users"))
        for file in ["/settings", "/users"] { chmod(folder + file, 0o644) }
        process = try PostgreSQLServer.spawn([Self.program, folder + "/settings"], folder)
        for _ in 0..<600 where !isListening { usleep(10_000) }
    }

    /// The socket's file is there before the pooler listens, and that before it takes several clients.
    private var isListening: Bool {
        let socket = SocketRelay.socket()
        defer { close(socket) }
        guard SocketRelay.with(folder + "/.s.PGSQL.5432", { connect(socket, $0, $1) }) == 0 else {
            return false
        }
        // A client's question for TLS, which has an answer of one byte.
        let request: [UInt8] = [0, 0, 0, 8, 4, 210, 22, 47]
        var answer: UInt8 = 0
        return send(socket, request, request.count, Int32(MSG_NOSIGNAL)) == request.count
            && recv(socket, &answer, 1, 0) == 1
    }

    deinit {
        // Newer ones take any other signal for a request to wait until all clients are gone.
        kill(process, SIGKILL)
        _ = PostgreSQLServer.status(of: process)
        try? FileManager.default.removeItem(atPath: folder)
    }
}
