import CoreDataTestSupport
import Foundation
import Testing

@testable import CoreDataStudio

struct RequestReaderTests {
    private func reader(_ text: String, limit: Int = 1 << 20) -> RequestReader {
        var reader = RequestReader(bodyLimit: limit)
        reader.append(Array(text.utf8))
        return reader
    }

    private func status(_ text: String) -> Int? {
        var reader = reader(text)
        do {
            _ = try reader.next()
            return nil
        } catch {
            return error.status
        }
    }

    @Test func `A request is read whole, whatever the pieces that it comes in`() throws {
        let text =
            "POST /a?b=c HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nCookie: a=1\r\ncookie: b=2\r\n\r\nhello"
        for size in [1, 2, 3, 7, 200] {
            var reader = RequestReader(bodyLimit: 100)
            var found: [RequestReader.Received] = []
            let bytes = Array((text + text).utf8)
            for start in stride(from: 0, to: bytes.count, by: size) {
                reader.append(Array(bytes[start..<min(start + size, bytes.count)]))
                while let request = try reader.next() { found.append(request) }
            }
            expect(found.count, equals: 2)
            expect(found[0], equals: found[1])
            #expect(found[0].method == "POST" && found[0].target == "/a?b=c")
            expect(found[0].headers, equals: ["host": "x", "content-length": "5", "cookie": "a=1; b=2"])
            expect(found[0].body, equals: Data("hello".utf8))
            #expect(found[0].keepsAlive)
        }
    }

    @Test func `What isn't plain HTTP is refused`() {
        expect(status("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"), equals: 400)
        expect(status("GET / HTTP/1.1\r\nHost : a\r\n\r\n"), equals: 400)
        expect(status("GET / HTTP/2\r\n\r\n"), equals: 400)
        expect(status("GET  / HTTP/1.1\r\n\r\n"), equals: 400)
        #expect(status("GET http://x/ HTTP/1.1\r\n\r\n") == 400)
        expect(status("GET /\u{0} HTTP/1.1\r\n\r\n"), equals: 400)
        expect(status("GET / HTTP/1.1\r\n folded: x\r\n\r\n"), equals: 400)
        expect(status("GET / HTTP/1.1\r\nA: b\nC: d\r\n\r\n"), equals: 400)
        expect(status("GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n"), equals: 400)
        expect(status("GET / HTTP/1.1\r\nContent-Length: +1\r\n\r\n"), equals: 400)
        expect(status("GET / HTTP/1.1\r\nContent-Length: 1, 1\r\n\r\n"), equals: 400)
        expect(status("GET / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n"), equals: 413)
        expect(status("GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"), equals: 411)
    }

    @Test func `Heads and bodies are bounded`() {
        let long = String(repeating: "a", count: RequestReader.headLimit)
        expect(status("GET /\(long) HTTP/1.1\r\n\r\n"), equals: 431)
        expect(status("GET /" + long), equals: 431)
        let fields = (0...RequestReader.fieldLimit).map { "X-\($0): y\r\n" }.joined()
        expect(status("GET / HTTP/1.1\r\n\(fields)\r\n"), equals: 431)
        var reader = reader("POST / HTTP/1.1\r\nContent-Length: 11\r\n\r\n", limit: 10)
        #expect(throws: RequestFault(status: 413, message: "That is more than 0 MB at once.")) {
            try reader.next()
        }
    }

    @Test func `A client that asks whether to go on is noticed, and one that closes`() throws {
        var reader = reader("POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
        #expect(try reader.next() == nil)
        #expect(reader.awaitsContinue && reader.hasHead)
        reader.append(Array("{}".utf8))
        try expect(reader.next()?.body, equals: Data("{}".utf8))
        #expect(!reader.awaitsContinue)
        var closing = self.reader("GET / HTTP/1.1\r\nConnection: close\r\n\r\n")
        try expect(closing.next()?.keepsAlive, equals: false)
        var old = self.reader("GET / HTTP/1.0\r\n\r\n")
        try expect(old.next()?.keepsAlive, equals: false)
    }

    @Test func `Random bytes never do more than be refused`() {
        var random = SeededGenerator(seed: 5)
        let parts = [
            "GET ", "/", " HTTP/1.1", "\r\n", "\r\n\r\n", "Content-Length: ", "7", "\0", "é", ":", " ", "-",
        ]
        for _ in 0..<3000 {
            var reader = RequestReader(bodyLimit: 50)
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                let text = parts.randomElement(using: &random) ?? ""
                reader.append(
                    Bool.random(using: &random)
                        ? Array(text.utf8) : [UInt8.random(in: 0...255, using: &random)])
                if (try? reader.next()) == nil { continue }
            }
        }
    }

    @Test func `A response says its length and nothing that begins a line of its own`() {
        let response = StudioResponse(
            status: 200, headers: ["X": "a\r\nSet-Cookie: b"], body: Data("hi".utf8))
        let text = String(decoding: response.bytes(keepsAlive: true), as: UTF8.self)
        expect(
            text,
            equals:
                "HTTP/1.1 200 OK\r\nX: aSet-Cookie: b\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\nhi"
        )
        let head = String(decoding: response.bytes(keepsAlive: false, withBody: false), as: UTF8.self)
        #expect(head.hasSuffix("Connection: close\r\n\r\n"))
    }
}
