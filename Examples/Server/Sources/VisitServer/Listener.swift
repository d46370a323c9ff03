// The least of HTTP that `curl` and a browser need. A service would use a web framework.

import Dispatch
import Foundation
import Glibc

/// A socket that clients connect to on this machine.
final class Listener: Sendable {
    private let descriptor: Int32
    let port: UInt16

    struct Failure: Error {
        let code: Int32
    }

    init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let own = descriptor
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(own, $0, length) == 0 && listen(own, 64) == 0 ? getsockname(own, $0, &length) : -1
            }
        }
        if code != 0 { throw Failure(code: errno) }
        self.port = UInt16(bigEndian: address.sin_port)
    }

    /// The clients that come, one after the other.
    func connections() -> AsyncStream<Connection> {
        let (stream, continuation) = AsyncStream.makeStream(of: Connection.self)
        let own = descriptor
        Thread.detachNewThread {
            while true {
                let client = accept(own, nil, nil)
                if client >= 0 { continuation.yield(Connection(descriptor: client)) }
            }
        }
        return stream
    }
}

/// One request of a client.
struct Connection: Sendable {
    let descriptor: Int32

    /// Reads the path of the request, on a thread that may wait; `nil` for what is no request.
    func path() async -> String? {
        await withCheckedContinuation { done in
            DispatchQueue.global().async {
                var bytes = [UInt8](repeating: 0, count: 8192)
                let count = read(descriptor, &bytes, bytes.count)
                let line = String(decoding: bytes.prefix(max(0, count)).prefix { $0 != 13 }, as: UTF8.self)
                let parts = line.split(separator: " ")
                done.resume(returning: parts.count == 3 ? String(parts[1]) : nil)
            }
        }
    }

    /// Answers, and closes the connection.
    func send(_ status: String, _ text: String) {
        let head = "HTTP/1.1 \(status)\r\nContent-Type: text/plain\r\nContent-Length: \(text.utf8.count)\r\n"
        let bytes = Array((head + "Connection: close\r\n\r\n" + text).utf8)
        _ = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        close()
    }

    func close() { _ = Glibc.close(descriptor) }
}
