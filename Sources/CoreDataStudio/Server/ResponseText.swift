// Responses as bytes.

import Foundation

extension StudioResponse {
    /// The response as it goes over a connection. The body is left out where only the head was asked for.
    func bytes(keepsAlive: Bool, withBody: Bool = true) -> Data {
        var text = "HTTP/1.1 \(status) \(Self.phrases[status] ?? "Status")\r\n"
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
            text += "\(name): \(value.filter { !$0.isNewline })\r\n"
        }
        text += "Content-Length: \(body.count)\r\nConnection: \(keepsAlive ? "keep-alive" : "close")\r\n\r\n"
        return Data(text.utf8) + (withBody ? body : Data())
    }

    private static let phrases = [
        200: "OK", 303: "See Other", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden",
        404: "Not Found", 405: "Method Not Allowed", 409: "Conflict", 411: "Length Required",
        413: "Content Too Large", 421: "Misdirected Request", 422: "Unprocessable Content",
        431: "Request Header Fields Too Large", 500: "Internal Server Error",
    ]
}
