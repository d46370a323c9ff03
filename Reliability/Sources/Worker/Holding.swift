// A store that stays open from one request to the next, while the orchestrator looks at its locks and files.

import CoreData
import Foundation

/// The resources that a process holds open between requests.
final class Holding {
    private var operation: SaveOperation?
    /// Stores that calls opened and that stay open.
    private var others: [Stack] = []

    /// Opens the store.
    func open(_ request: Request) async throws -> [String: Any] {
        let operation = SaveOperation(request)
        try await operation.begin()
        self.operation = operation
        return ["done": true]
    }

    /// Saves until it fails or so many steps are done; what can't be saved stays in the context.
    func save(_ request: Request) async throws -> [String: Any] {
        guard let operation else { throw Request.Problem(text: "no store is held") }
        var done = 0
        do {
            for _ in 0..<request.number("steps", default: 1) {
                try await operation.step()
                done += 1
            }
        } catch {
            return [
                "steps": done, "error": Line.fields(of: error),
                "pending": operation.isPending as Any? ?? NSNull(),
            ]
        }
        return ["steps": done]
    }

    func close() -> [String: Any] {
        others.forEach { $0.close() }
        operation?.end()
        (operation, others) = (nil, [])
        return ["done": true]
    }

    /// Does what a client may do with the file of an open store. Its error is told, and judged by nobody: a store
    /// asked for under a wrong type has to give one.
    func call(_ request: Request) async throws -> [String: Any] {
        guard let stack = operation?.stack else { throw Request.Problem(text: "no store is held") }
        let name = request.text("name")
        guard let call = Calls.all[name] else { throw Request.Problem(text: "no call \(name)") }
        do {
            if let other = try await call(CallSubject(request, stack)) { others.append(other) }
        } catch {
            return ["error": Line.fields(of: error)]
        }
        return ["done": true]
    }
}
