// The functions that answer paths.

/// One area of the studio: data, model.
package protocol StudioArea: Sendable {
    func add(to routes: inout StudioRoutes)
}

/// The routes below `/api/`.
package struct StudioRoutes: Sendable {
    package typealias Handler = @Sendable (StudioCall) async throws -> StudioResponse

    private struct Route: Sendable {
        let method: String
        let parts: [String]
        let handler: Handler
    }

    private var routes: [Route] = []

    /// Answers `GET /api/PATTERN`; a part `:name` stands for any one part. Must change nothing.
    package mutating func get<Answer: Encodable & SendableMetatype>(
        _ pattern: String, handler: @escaping @Sendable (StudioCall) async throws -> Answer
    ) {
        add("GET", pattern: pattern) { try .json(await handler($0)) }
    }

    package mutating func get(_ pattern: String, handler: @escaping Handler) {
        add("GET", pattern: pattern, handler: handler)
    }

    /// Answers `POST /api/PATTERN`.
    package mutating func post<Answer: Encodable & SendableMetatype>(
        _ pattern: String, handler: @escaping @Sendable (StudioCall) async throws -> Answer
    ) {
        add("POST", pattern: pattern) { try .json(await handler($0)) }
    }

    package mutating func post(_ pattern: String, handler: @escaping Handler) {
        add("POST", pattern: pattern, handler: handler)
    }

    private mutating func add(_ method: String, pattern: String, handler: @escaping Handler) {
        routes.append(
            Route(method: method, parts: pattern.split(separator: "/").map(String.init), handler: handler))
    }

    /// Every route's method and pattern.
    var patterns: [String] { routes.map { "\($0.method) \($0.parts.joined(separator: "/"))" } }

    /// The function for a path below `/api/`, with what stands at the pattern's names.
    func match(_ method: String, path: [String]) throws(StudioProblem) -> (Handler, [String: String]) {
        var isKnown = false
        for route in routes where route.parts.count == path.count {
            guard let parameters = Self.parameters(route.parts, path: path) else { continue }
            if route.method == method { return (route.handler, parameters) }
            isKnown = true
        }
        throw isKnown
            ? StudioProblem(status: 405, "\(method) is not for this address.")
            : StudioProblem(status: 404, "There is nothing at this address.")
    }

    private static func parameters(_ pattern: [String], path: [String]) -> [String: String]? {
        var parameters: [String: String] = [:]
        for (part, text) in zip(pattern, path) {
            if part.hasPrefix(":") {
                parameters[String(part.dropFirst())] = text
            } else if part != text {
                return nil
            }
        }
        return parameters
    }
}
