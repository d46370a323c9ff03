// A request, as any web server can hand it over.

public import Foundation

/// An HTTP request to the studio.
public struct StudioRequest: Sendable {
    /// `GET` or `POST`; the studio uses no other.
    public var method: String
    /// The path of the request's target, still percent-encoded, without the query.
    public var path: String
    /// The text after the question mark, still percent-encoded.
    public var queryText: String
    /// Fields by their names in lower case.
    public var headers: [String: String]
    /// The bytes that were sent with the request.
    public var body: Data
    /// The person who asks, if the server that the studio is mounted in knows.
    public var user: String?

    /// - Parameters:
    ///   - method: the method's name in capitals.
    ///   - target: path and query as they stand in the request's first line.
    ///   - headers: the fields; capitals in their names don't matter.
    ///   - body: what was sent with the request.
    ///   - user: who asks, for ``StudioOptions/authorise``.
    public init(
        method: String, target: String, headers: [String: String] = [:], body: Data = Data(),
        user: String? = nil
    ) {
        self.method = method
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = parts.first.map(String.init) ?? "/"
        queryText = parts.count > 1 ? String(parts[1]) : ""
        self.headers = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
        self.body = body
        self.user = user
    }

    /// The query's fields, decoded; of several with one name the first.
    package var query: [String: String] {
        var fields: [String: String] = [:]
        for pair in queryText.split(separator: "&") {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
                Self.decoded)
            guard let name = sides[0], fields[name] == nil else { continue }
            fields[name] = sides.count > 1 ? sides[1] : ""
        }
        return fields
    }

    /// A cookie's value.
    func cookie(_ name: String) -> String? {
        for pair in (headers["cookie"] ?? "").split(separator: ";") {
            let sides = pair.split(separator: "=", maxSplits: 1).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            if sides.count == 2, sides[0] == name { return sides[1] }
        }
        return nil
    }

    private static func decoded(_ part: some StringProtocol) -> String? {
        part.replacingOccurrences(of: "+", with: " ").removingPercentEncoding
    }
}
