// Routes to what happened: persistent history, and the SQL of the last actions.

import CoreData
import StoreTools

extension DataRoutes {
    private struct Statement: Codable, Sendable {
        var action: Int
        var statement: Int
    }

    private struct Purge: Codable, Sendable {
        /// Transactions from before this time go.
        var before: String
    }

    func addRecords(to routes: inout StudioRoutes) {
        routes.get("data/history") { call in
            try await call.allow(.history)
            let before = try call.number("before", default: Int(Int32.max), in: 0...Int(Int32.max))
            let author = call.optionalText("author")
            let object = call.optionalText("object")
            let grants = await Grants([.read], call: call)
            return try await call.workspace.run { workspace in
                try workspace.history(
                    before: Int64(before), author: author, object: object, limit: 50, grants)
            }
        }
        routes.post("data/history/purge") { call in
            try await call.allow(.purge)
            let text = try call.body(Purge.self).before
            guard let date = Timestamp.date(from: text) else {
                throw StudioProblem(status: 422, "“\(text.prefix(100))” is no date as in 2024-05-01.")
            }
            return try await call.workspace.act("Purge the history") { try $0.purgeHistory(before: date) }
        }
        routes.get("data/statements") { call in
            try await call.allow(.sql)
            return StudioValue.list(try call.workspace.log.recent.reversed().map(Self.value))
        }
        routes.post("data/statements/plan") { call in
            try await call.allow(.sql)
            let wanted = try call.body(Statement.self)
            let workspace = try call.workspace
            // Only what ran here is planned: the page sends no SQL.
            guard let action = workspace.log.recent.first(where: { $0.number == wanted.action }),
                action.runs.indices.contains(wanted.statement)
            else { throw StudioProblem(status: 404, "That statement is forgotten by now.") }
            return StudioValue.texts(workspace.coordinator.plan(ofSQL: action.runs[wanted.statement].sql))
        }
    }

    private static func value(_ action: SQLLog.Action) -> StudioValue {
        [
            "number": .integer(action.number), "title": .text(action.title),
            "date": .text(Timestamp.text(of: action.date)), "milliseconds": .double(action.duration * 1000),
            "count": .integer(action.count), "statements": .list(action.runs.map(\.value)),
        ]
    }
}
