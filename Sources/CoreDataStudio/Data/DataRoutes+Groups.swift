// Routes to rows in groups: the values of a column with their counts, and the figures of a chart.

import CoreData

extension DataRoutes {
    private struct Facet: Codable, Sendable {
        var question: ReadTurns.Question?
        var query: GridQuery.Fields
        var column: String
        /// Of dates: the year or month whose parts are asked for.
        var within: String?
    }

    private struct Chart: Decodable, Sendable {
        var question: ReadTurns.Question?
        var query: GridQuery.Fields
        var column: String
        var unit: DateUnit?
        var measure: GroupMeasure
    }

    /// The most values that a page lists.
    private static let values = 50
    /// The most groups that a chart draws.
    private static let points = 1000
    /// The most days that are read, about three centuries.
    private static let days = 120_000

    func addGroups(to routes: inout StudioRoutes) {
        routes.post("data/facet") { call in try await Self.facet(call) }
        routes.post("data/chart") { call in try await Self.chart(call) }
    }

    /// The values of a column with their counts, as the other filters leave them.
    private static func facet(_ call: StudioCall) async throws -> StudioValue {
        let wanted = try call.body(Facet.self)
        let grants = await Grants([.read], call: call)
        let turn = try call.workspace.turns.turn(of: wanted.question)
        guard let unit = DateUnit(within: wanted.within) else {
            throw StudioProblem(status: 400, "Days have no parts.")
        }
        let rows = try await call.workspace.run { workspace in
            var fields = wanted.query
            var filters = fields.filters ?? [:]
            filters[wanted.column] = wanted.within
            fields.filters = filters
            return try GroupedRows(
                GridQuery(fields, in: workspace, grants: grants), by: wanted.column, measure: .count,
                grants: grants)
        }
        let limit = rows.isOfDates ? days : values
        let groups = try await rows.read(limit: limit + 1, turn, from: call.workspace.coordinator)
        if groups.count > limit { return ["values": .list([]), "isCut": true] }
        return try await call.workspace.run { workspace in
            [
                "values": .list(try workspace.shown(groups, rows: rows, by: unit, grants: grants)),
                "isCut": false,
            ]
        }
    }

    private static func chart(_ call: StudioCall) async throws -> StudioValue {
        let wanted = try call.body(Chart.self)
        let grants = await Grants([.read], call: call)
        let turn = try call.workspace.turns.turn(of: wanted.question)
        let rows = try await call.workspace.run { workspace in
            try GroupedRows(
                GridQuery(wanted.query, in: workspace, grants: grants), by: wanted.column,
                measure: wanted.measure, grants: grants)
        }
        let limit = rows.isOfDates ? days : points
        let groups = try await rows.read(limit: limit + 1, turn, from: call.workspace.coordinator)
        if groups.count > limit {
            throw StudioProblem(
                status: 422,
                "There are more than \(limit) different values: filter the rows, or choose another column.")
        }
        return try await call.workspace.run { workspace -> StudioValue in
            let shown = try workspace.shown(groups, rows: rows, by: wanted.unit ?? .month, grants: grants)
            if shown.count > points {
                throw StudioProblem(
                    status: 422,
                    "There are \(shown.count) groups: a chart has up to \(points). Choose a longer unit.")
            }
            return ["rows": .list(shown)]
        }
    }
}
