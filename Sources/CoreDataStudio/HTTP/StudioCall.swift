// One request on its way through a route.

import CoreData
import Foundation

package struct StudioCall: Sendable {
    package let request: StudioRequest
    /// The parts of the path at the route's names, decoded.
    package let parameters: [String: String]
    package let session: StudioSession
    package let studio: StudioContext
    private let query: [String: String]

    init(request: StudioRequest, parameters: [String: String], session: StudioSession, studio: StudioContext)
    {
        self.request = request
        self.parameters = parameters
        self.session = session
        self.studio = studio
        query = request.query
    }

    /// The body as JSON.
    package func body<Body: Decodable>(_ type: Body.Type = Body.self) throws -> Body {
        do {
            return try JSONDecoder().decode(type, from: request.body)
        } catch {
            throw StudioProblem(
                status: 400, "The request's JSON is not what this address takes: \(Self.words(error)).")
        }
    }

    /// A field of the query.
    package func optionalText(_ name: String) -> String? { query[name] }

    /// A field of the query that must be there.
    package func text(_ name: String) throws -> String {
        guard let text = query[name] else {
            throw StudioProblem(status: 400, "The address lacks \"\(name)\".")
        }
        return text
    }

    /// A whole number of the query.
    package func number(_ name: String, default standard: Int, in range: ClosedRange<Int>) throws -> Int {
        guard let text = query[name] else { return standard }
        guard let number = Int(text), range.contains(number) else {
            throw StudioProblem(
                status: 400,
                "\"\(name)\" must be a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    /// Returns the part of the path at a name of the route's pattern.
    package func parameter(_ name: String) throws -> String {
        guard let text = parameters[name] else {
            throw StudioProblem(status: 404, "The address lacks its \(name).")
        }
        return text
    }

    /// The person who asks: whose link the session began with, where the studio has users of its own; else the server's.
    package var user: String? { studio.options.users.isEmpty ? request.user : session.user }

    /// Throws 403 unless the person may do this.
    package func allow(_ action: StudioAction, entity: String? = nil) async throws {
        try await studio.allow(action, entity: entity, user: user)
    }

    /// Returns whether the person may do one of these with one entity at least.
    package func mayDo(anyOf actions: [StudioAction]) async -> Bool {
        let entities = studio.model?.entities.compactMap(\.name) ?? []
        for action in actions {
            for entity in entities where (try? await allow(action, entity: entity)) != nil { return true }
        }
        return false
    }

    private static func words(_ error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, _): "\"\(key.stringValue)\" is missing"
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            "\"\(context.codingPath.map(\.stringValue).joined(separator: "."))\" has another type"
        case DecodingError.dataCorrupted(let context): context.debugDescription
        default: "it can't be read"
        }
    }
}
