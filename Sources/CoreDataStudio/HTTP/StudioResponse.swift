// The answer of a web server.

public import Foundation
import StoreTools

/// The studio's answer to a request.
public struct StudioResponse: Sendable {
    /// The HTTP status code.
    public var status: Int
    /// Fields by their names.
    public var headers: [String: String]
    /// The bytes to send.
    public var body: Data

    /// An answer of these parts.
    ///
    /// - Parameters:
    ///   - status: the HTTP status code.
    ///   - headers: the headers by name.
    ///   - body: the body's bytes.
    public init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

extension StudioResponse {
    /// JSON; keys in order, so that the same value gives the same text.
    package static func json(_ value: some Encodable, status: Int = 200) throws -> StudioResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return StudioResponse(
            status: status,
            headers: ["Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store"],
            body: try encoder.encode(value))
    }

    /// A file for the person to keep. Its bytes are never shown as a page.
    package static func download(_ body: Data, name: String, type: String = "application/octet-stream")
        -> StudioResponse
    {
        let plain = String(
            name.unicodeScalars.map {
                $0.isASCII && CharacterSet.alphanumerics.contains($0) || "-_.".unicodeScalars.contains($0)
                    ? Character($0) : "_"
            })
        return StudioResponse(
            status: 200,
            headers: [
                "Content-Type": type, "Cache-Control": "no-store",
                "Content-Disposition": "attachment; filename=\"\(plain)\"",
            ], body: body)
    }

    /// An error as JSON, as the pages show it.
    package static func failure(_ status: Int, message: String, details: [String: String] = [:])
        -> StudioResponse
    {
        let text = PrintedValue.object([
            "error": .object([
                "message": .text(message),
                "details": .record(
                    details.sorted { $0.key < $1.key }.map { .init($0.key, value: .text($0.value)) }),
            ])
        ]).json
        return StudioResponse(
            status: status,
            headers: ["Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store"],
            body: Data(text.utf8))
    }
}
