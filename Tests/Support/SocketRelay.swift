// A relay between clients and a PostgreSQL server, which loses connections at chosen moments.

import Foundation
package import Synchronization

/// Listens on a socket of its own and passes on what clients and the server say.
package final class SocketRelay: Sendable {
    /// The folder of the socket, for the parameter `host`.
    package let folder: String
    /// While this is set, a connection is lost once the server has answered a commit, and before its client hears of it.
    package let losesCommits = Mutex(false)
    private let listener: Int32
    private let target: String

    package init(to server: PostgreSQLServer) throws {
        var template = Array("/tmp/coredata-relay-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        target = server.folder + "/.s.PGSQL.5432"
        listener = Self.socket()
        let path = folder + "/.s.PGSQL.5432"
        guard Self.with(path, { bind(listener, $0, $1) }) == 0, listen(listener, 16) == 0 else {
            throw CocoaError(.fileWriteUnknown)
        }
        let (own, target) = (listener, target)
        Thread { [weak self] in
            while true {
                let client = Self.accept(own)
                if client < 0 { return }
                let server = Self.socket()
                _ = Self.with(target) { connect(server, $0, $1) }
                Thread { [weak self] in
                    Self.pass(client, server) { self?.losesCommits.withLock { $0 } ?? true }
                }
                .start()
            }
        }
        .start()
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// A socket that no process inherits: one that a server holds, which another test starts, would stay open when its owner closes
    /// it.
    static func socket() -> Int32 {
        Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    }

    /// The next connection of a listener, which no process inherits; negative once the listener is shut.
    static func accept(_ listener: Int32) -> Int32 {
        let client = Glibc.accept(listener, nil, nil)
        if client >= 0 { _ = fcntl(client, F_SETFD, FD_CLOEXEC) }
        return client
    }

    static func with(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    /// Passes bytes on until one side ends, or a commit is to be lost.
    private static func pass(_ client: Int32, _ server: Int32, _ losesCommits: () -> Bool) {
        defer {
            close(client)
            close(server)
        }
        var isLost = false
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            var both = [
                pollfd(fd: client, events: Int16(POLLIN), revents: 0),
                pollfd(fd: server, events: Int16(POLLIN), revents: 0),
            ]
            if poll(&both, 2, -1) < 0 { return }
            for (from, to) in [(0, server), (1, client)] where both[from].revents != 0 {
                let count = read(both[from].fd, &buffer, buffer.count)
                if count <= 0 { return }
                if from == 1, isLost { return }
                if from == 0, losesCommits(), Data(buffer[..<count]).range(of: Data("COMMIT".utf8)) != nil {
                    isLost = true
                }
                var sent = 0
                while sent < count {
                    let more = buffer.withUnsafeBytes {
                        send(to, $0.baseAddress.map { $0 + sent }, count - sent, Int32(MSG_NOSIGNAL))
                    }
                    if more <= 0 { return }
                    sent += more
                }
            }
        }
    }
}
