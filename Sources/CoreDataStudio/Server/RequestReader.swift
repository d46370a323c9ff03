// Requests out of bytes, as they come from a socket. Strict and bounded: what isn't plain HTTP/1.1 is refused.

import Foundation

/// The reason why bytes are no request; the connection ends with it.
struct RequestFault: Error, Equatable {
    let status: Int
    let message: String
}

/// Collects the bytes of one connection and gives whole requests.
struct RequestReader {
    /// A request as it came in.
    struct Received: Equatable {
        var method = ""
        var target = ""
        var headers: [String: String] = [:]
        var body = Data()
        var keepsAlive = true
    }

    /// Bytes of a request's first line and header fields.
    static let headLimit = 64 << 10
    static let fieldLimit = 200

    private let bodyLimit: Int
    private var buffer: [UInt8] = []
    /// The offset at which the search for the end of the head goes on.
    private var searched = 0
    private var head: (request: Received, length: Int)?
    /// Indicates whether the client waits for a word before it sends the body.
    private(set) var awaitsContinue = false

    init(bodyLimit: Int) { self.bodyLimit = bodyLimit }

    /// Indicates whether only the body is missing.
    var hasHead: Bool { head != nil }

    mutating func append(_ bytes: [UInt8]) { buffer += bytes }

    mutating func didContinue() { awaitsContinue = false }

    /// The next request; nil while more bytes are needed.
    mutating func next() throws(RequestFault) -> Received? {
        if head == nil { try readHead() }
        guard let (received, length) = head, buffer.count >= length else { return nil }
        var request = received
        request.body = Data(buffer[..<length])
        buffer.removeFirst(length)
        head = nil
        awaitsContinue = false
        searched = 0
        return request
    }

    // MARK: The head

    private mutating func readHead() throws(RequestFault) {
        guard let end = endOfHead() else {
            if buffer.count > Self.headLimit { throw Self.tooLong }
            return
        }
        if end > Self.headLimit { throw Self.tooLong }
        guard let text = String(validating: buffer[..<end], as: UTF8.self),
            !text.unicodeScalars.contains(where: { $0.value < 0x20 && !"\r\n\t".unicodeScalars.contains($0) })
        else { throw Self.malformed }
        var lines = text.components(separatedBy: "\r\n")[...]
        var request = try Self.request(lines.removeFirst())
        if lines.count > Self.fieldLimit { throw Self.tooLong }
        for line in lines { try Self.read(line, headers: &request.headers) }
        let length = try self.length(request.headers)
        let connection = request.headers["connection"]?.lowercased() ?? ""
        if connection.contains("close") { request.keepsAlive = false }
        awaitsContinue = length > 0 && request.headers["expect"]?.lowercased() == "100-continue"
        buffer.removeFirst(end + 4)
        head = (request, length)
    }

    private mutating func endOfHead() -> Int? {
        let mark: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A]
        var place = max(0, searched - 3)
        while place + 4 <= buffer.count {
            if buffer[place] == mark[0], Array(buffer[place..<place + 4]) == mark { return place }
            place += 1
        }
        searched = buffer.count
        return nil
    }

    private static func request(_ line: String) throws(RequestFault) -> Received {
        let parts = line.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 3, isToken(parts[0]), parts[1].hasPrefix("/"),
            parts[2] == "HTTP/1.1" || parts[2] == "HTTP/1.0"
        else { throw malformed }
        return Received(
            method: String(parts[0]), target: String(parts[1]), keepsAlive: parts[2] == "HTTP/1.1")
    }

    /// Fields that decide something may come once only; others are joined as lists.
    private static let single: Set<String> = [
        "host", "content-length", "transfer-encoding", "origin", "x-studio-proof", "sec-fetch-site",
    ]

    private static func read(_ line: String, headers: inout [String: String]) throws(RequestFault) {
        guard let colon = line.firstIndex(of: ":"), isToken(line[..<colon]), !line.contains("\r"),
            !line.contains("\n")
        else { throw malformed }
        let name = line[..<colon].lowercased()
        let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        guard let before = headers[name] else {
            headers[name] = value
            return
        }
        if single.contains(name) { throw malformed }
        headers[name] = before + (name == "cookie" ? "; " : ", ") + value
    }

    private static func isToken(_ text: Substring) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
    }

    private func length(_ headers: [String: String]) throws(RequestFault) -> Int {
        if headers["transfer-encoding"] != nil {
            throw RequestFault(status: 411, message: "Say the body's length in Content-Length.")
        }
        guard let text = headers["content-length"] else { return 0 }
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw Self.malformed
        }
        guard let length = Int(text), length <= bodyLimit else {
            throw RequestFault(status: 413, message: "That is more than \(bodyLimit >> 20) MB at once.")
        }
        return length
    }

    private static let malformed = RequestFault(status: 400, message: "That is no request of HTTP/1.1.")
    private static let tooLong = RequestFault(
        status: 431, message: "Address and header fields are longer than \(headLimit >> 10) kB.")
}
