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

struct Request: Sendable {
    let method: String
    let path: String
    var query: [String: String] = [:]
    let body: Data
}

/// One request of a client.
struct Connection: Sendable {
    let descriptor: Int32
    private static let maximum = 1 << 20

    /// Reads the request, on a thread that may wait; `nil` for what is no request.
    func request() async -> Request? {
        await withCheckedContinuation { done in
            DispatchQueue.global().async { done.resume(returning: read()) }
        }
    }

    private func read() -> Request? {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 8192)
        while bytes.count < Self.maximum {
            let text = String(decoding: bytes, as: UTF8.self)
            if let end = text.range(of: "\r\n\r\n") {
                let lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
                let length =
                    lines.first { $0.lowercased().hasPrefix("content-length:") }
                    .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
                let body = Data(text[end.upperBound...].utf8)
                if body.count >= length { return Self.request(lines[0], body) }
            }
            let count = Glibc.read(descriptor, &piece, piece.count)
            if count <= 0 { return nil }
            bytes += piece.prefix(count)
        }
        return nil
    }

    private static func request(_ line: String, _ body: Data) -> Request? {
        let parts = line.split(separator: " ").map(String.init)
        guard parts.count == 3, let address = URLComponents(string: parts[1]) else { return nil }
        let query = (address.queryItems ?? []).map { ($0.name, $0.value ?? "") }
        return Request(
            method: parts[0], path: address.path, query: Dictionary(query) { $1 }, body: body)
    }

    /// Answers, and closes the connection.
    func send(_ answer: Answer) {
        let head =
            "HTTP/1.1 \(answer.status)\r\nContent-Type: application/json\r\nContent-Length: \(answer.text.utf8.count)\r\n"
        let bytes = Array((head + "Connection: close\r\n\r\n" + answer.text).utf8)
        _ = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        close()
    }

    func close() { _ = Glibc.close(descriptor) }
}
