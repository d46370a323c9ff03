// The rows that a grid shows, as code that fetches it and as the SQL that the store runs.

import CoreData
import StoreTools

/// A query in words for other programs.
enum QueryText {
    enum Form: String, Codable, Sendable {
        /// `NSPredicate(format:)`, a fetch request in Swift, the store's SQL with its bindings and plan.
        case predicate, request, sql
    }

    /// Swift that makes the query's predicate.
    static func predicate(_ query: GridQuery) -> String {
        query.request().predicate.map { "NSPredicate(format: \(literal($0.formatString)))" }
            ?? "NSPredicate(value: true)"
    }

    /// Swift that makes the query's fetch request.
    static func request(_ query: GridQuery) -> String {
        let request = query.request()
        let name = query.entity.managedObjectClassName ?? "NSManagedObject"
        var lines = [
            "let request = NSFetchRequest<\(name)>(entityName: \(literal(query.entity.name ?? "")))"
        ]
        if request.predicate != nil { lines.append("request.predicate = \(predicate(query))") }
        // The last descriptor, of the object ID, only makes pages definite.
        let keys = (request.sortDescriptors ?? []).dropLast().map { descriptor in
            "NSSortDescriptor(key: \(literal(descriptor.key ?? "")), ascending: \(descriptor.ascending))"
        }
        if !keys.isEmpty { lines.append("request.sortDescriptors = [\(keys.joined(separator: ", "))]") }
        return lines.joined(separator: "\n")
    }

    /// A literal that needs no escapes, unless a line ends in it.
    static func literal(_ text: String) -> String {
        guard text.contains(where: { "\"\\".contains($0) || $0.isNewline }) else { return "\"\(text)\"" }
        if text.contains(where: \.isNewline) { return text.debugDescription }
        var marks = "#"
        while text.contains("\"" + marks) || text.contains("\\" + marks) { marks += "#" }
        return "\(marks)\"\(text)\"\(marks)"
    }
}

extension DataWorkspace {
    /// The query's code or SQL.
    func text(of query: GridQuery, as form: QueryText.Form) throws -> StudioValue {
        switch form {
        case .predicate: return ["text": .text(QueryText.predicate(query))]
        case .request: return ["text": .text(QueryText.request(query))]
        case .sql:
            guard let store = coordinator.persistentStores.first(where: { $0.type == NSSQLiteStoreType })
            else {
                throw StudioProblem(status: 422, "This kind of store has no SQL.")
            }
            let found = try fetching { try coordinator.sqlDescription(for: query.request(), in: store) }
            let bindings = found.bindings.enumerated().map { "-- ?\($0.offset + 1) = \($0.element)" }
            let plan = found.plan.map { "-- plan: \($0)" }
            return ["text": .text(([found.sql] + bindings + plan).joined(separator: "\n"))]
        }
    }
}
