// A batch deletion in tables, with the delete rules applied by statements over whole tables.

import CoreDataSQL
package import CoreDataSchema
import CoreDataSupport
package import Foundation

extension BatchDelete {
    package func run<Tables: HistoryTables>(
        on file: Tables, _ history: HistoryRecorder<Tables>?
    ) throws -> BatchChanges {
        let plan = try DeletionPlan(file)
        if primaryKeys == nil, history == nil, plan.leavesOthers(fetch.entity.rootNumber) {
            return try deleteAtOnce(file, planner: file.planner(), plan: plan)
        }
        let marks = DeletionStatements(file.layout.dialect)
        try file.execute(marks.create)
        try file.execute(marks.clear)
        let table = try file.table(fetch.entity)
        let root = try file.rootNumber(fetch.entity)
        if let primaryKeys {
            try file.mark(primaryKeys, of: table, root: root, by: marks)
        } else {
            let keys = try file.planner().primaryKeys(for: fetch.description(.keys))
            try file.execute(marks.markForDeletion(keys, of: table, root: root))
        }
        let roots = try plan.cascade(from: fetch.entity.rootNumber)
        try plan.refuse(roots)
        try plan.release(roots, history: history)
        if let history { try plan.note(roots, history: history) }
        let changes = try plan.delete(roots, collectsKeys: collectsKeys)
        try file.execute(marks.clear)
        return changes
    }

    /// One statement, where no other row has to do with the deletion.
    private func deleteAtOnce(
        _ file: some BatchTables, planner: FetchPlanner, plan: DeletionPlan<some HistoryTables>
    ) throws -> BatchChanges {
        let rows = fetch.description(.keys)
        let statement = try planner.deletion(of: rows, returnsKeys: collectsKeys)
        let columns = plan.externalColumns(file.model.runtimes[fetch.entity.rootNumber])
        for cells in try planner.cells(columns.sorted(), of: rows) { try file.dropExternal(cells) }
        var changes = BatchChanges()
        if collectsKeys {
            changes.deleted = try file.changedRows(statement, fallback: fetch.entity)
            changes.count = changes.deleted.count
        } else {
            changes.count = try file.change(statement)
        }
        return changes
    }
}

/// The relationships of a store with what a deletion does about each.
private struct DeletionPlan<Tables: HistoryTables> {
    private var marks: DeletionStatements { DeletionStatements(file.layout.dialect) }

    private struct Step {
        let entity: EntityRuntime
        let relation: RelationRuntime
        let rule: DeletionRule
        /// The column in which rows of the other side hold a key of this one.
        let keys: PropertyColumn?

        /// Indicates that rows that stay would lack an object that they must have.
        var isMissed: Bool {
            relation.traits.deleteRule == .nullify
                && relation.inverse.map { !$0.isToMany && !$0.isOptional } == true
        }

        /// Indicates whether the other side's rows hold keys that a deletion empties.
        var isReleased: Bool {
            keys != nil && (relation.inverse == nil || relation.traits.deleteRule != .noAction)
        }

        /// Indicates whether a deletion needs to look at any row but those that go.
        var concernsOthers: Bool {
            let rule = relation.traits.deleteRule
            return rule == .cascade || rule == .deny || isMissed || isReleased || self.rule.disconnect != nil
        }
    }

    private let file: Tables
    private let steps: [Step]

    init(_ file: Tables) throws {
        self.file = file
        steps = try file.model.runtimes.flatMap { entity -> [Step] in
            guard file.layout[entity.name] != nil else { return [] }
            return try entity.relations.filter { $0.declaringEntity == entity.name && $0.isStored }
                .compactMap { try Self.step(entity, relation: $0, file: file) }
        }
    }

    private static func step(
        _ entity: EntityRuntime, relation: RelationRuntime, file: Tables
    ) throws -> Step? {
        let target = relation.destination(in: file.model)
        guard let owner = file.layout[entity.name], let destination = file.layout[target.name],
            let place = owner.columns[relation.name],
            let rule = DeletionRule(
                place, owner: owner, root: try file.rootNumber(entity), destination: destination,
                destinationRoot: try file.rootNumber(target), isReflexive: relation.isReflexive,
                in: file.layout.dialect)
        else { return nil }
        var keys: PropertyColumn?
        if let inverse = relation.inverse, !inverse.isToMany { keys = destination.columns[inverse.name] }
        if relation.inverse == nil, relation.isToMany { keys = place }
        return Step(entity: entity, relation: relation, rule: rule, keys: keys)
    }

    /// Returns whether rows of a root entity's table can go without a look at any other.
    func leavesOthers(_ root: Int) -> Bool {
        !steps.contains { $0.entity.rootNumber == root && $0.concernsOthers }
    }

    /// The number of rounds that are found by a look at all marked rows. Few deletions need more, and
    /// the index has its price.
    private static var roundsWithoutIndex: Int { 8 }

    /// Dooms what the rule "cascade" reaches. Returns the root entities, by number, whose tables are concerned.
    func cascade(from root: Int) throws -> Set<Int> {
        let cascading = steps.filter { $0.relation.traits.deleteRule == .cascade }
        var roots: Set<Int> = [root]
        var recent = roots
        var round = 0
        defer {
            if round > Self.roundsWithoutIndex { _ = try? file.change(marks.dropIndex) }
        }
        while !recent.isEmpty {
            if round == Self.roundsWithoutIndex { try file.execute(marks.indexRounds) }
            var reached: Set<Int> = []
            for step in cascading where recent.contains(step.entity.rootNumber) {
                if try file.change(step.rule.cascade(round: round)) > 0 {
                    reached.insert(step.relation.destination(in: file.model).rootNumber)
                }
            }
            roots.formUnion(reached)
            recent = reached
            round += 1
        }
        return roots
    }

    /// Throws where a relationship forbids the deletion, or a row that stays would lack what it must have.
    func refuse(_ roots: Set<Int>) throws {
        for step in steps where roots.contains(step.entity.rootNumber) {
            let isDenied = step.relation.traits.deleteRule == .deny
            guard isDenied || step.isMissed, let row = try file.fetchValues(step.rule.staying).first
            else {
                continue
            }
            throw BatchDelete.refusal(step.relation, of: step.entity, key: row.first?.wholeNumber ?? 0)
        }
    }

    /// Empties foreign keys and join tables.
    func release(_ roots: Set<Int>, history: HistoryRecorder<Tables>?) throws {
        var released: [RowKey: Set<String>] = [:]
        for step in steps where roots.contains(step.entity.rootNumber) {
            if let statement = step.rule.disconnect { try file.execute(statement) }
            guard step.isReleased, let keys = step.keys,
                let statement = step.rule.nullify(keys, returnsKeys: history != nil)
            else { continue }
            guard history != nil, let inverse = step.relation.inverseName else {
                try file.execute(statement)
                continue
            }
            for key in try file.changedRows(statement, fallback: step.relation.destination(in: file.model)) {
                released[key, default: []].insert(inverse)
            }
        }
        for (names, rows) in Dictionary(grouping: released, by: \.value) {
            try history?.updated(rows.map(\.key), names: names)
        }
    }

    /// Notes the marked rows.
    func note(_ roots: Set<Int>, history: HistoryRecorder<Tables>) throws {
        for number in roots.sorted() {
            let entity = file.model.runtimes[number]
            guard let table = file.layout[entity.name] else { continue }
            let keys = marks.keys(table, root: try file.rootNumber(entity))
            try history.deleting(file.changedRows(keys, fallback: entity))
        }
    }

    func delete(_ roots: Set<Int>, collectsKeys: Bool) throws -> BatchChanges {
        var changes = BatchChanges()
        for number in roots.sorted() {
            let entity = file.model.runtimes[number]
            guard let table = file.layout[entity.name] else { continue }
            let root = try file.rootNumber(entity)
            for column in externalColumns(entity) {
                try file.dropExternal(marks.cells(column, table: table, root: root))
            }
            let statement = marks.delete(table, root: root, returnsKeys: collectsKeys)
            if collectsKeys {
                changes.deleted += try file.changedRows(statement, fallback: entity)
                changes.count = changes.deleted.count
            } else {
                changes.count += try file.change(statement)
            }
        }
        return changes
    }

    /// The columns of a table whose cells may refer to files.
    func externalColumns(_ root: EntityRuntime) -> Set<String> {
        guard file.layout.dialect.keepsFiles else { return [] }
        var columns: Set<String> = []
        for entity in root.subtree.map({ file.model.runtimes[$0] }) {
            for slot in entity.layout.slots where slot.kind == .externalData {
                if case .attribute(let column, _)? = file.layout[entity.name]?.column(ofSlot: slot.name) {
                    columns.insert(column)
                }
            }
        }
        return columns
    }
}

extension SQLBinding {
    fileprivate var wholeNumber: Int64? {
        if case .integer(let number) = self { return number }
        return nil
    }
}

extension BatchDelete {
    /// Returns the error of a batch deletion that a delete rule doesn't allow.
    package static func refusal(_ relation: RelationRuntime, of entity: EntityRuntime, key: Int64) -> NSError
    {
        let name = "\(entity.name).\(relation.name)"
        if relation.traits.deleteRule == .deny {
            return CoreDataError.make(
                ErrorCode.relationshipDeniedDelete,
                description: "The batch deletion is denied by \(name): row \(key) still has members.",
                file: nil,
                entity: entity.name, property: relation.name,
                userInfo: [ErrorKey.validationKey: relation.name])
        }
        return CoreDataError.make(
            ErrorCode.saveConflicts,
            description:
                "The batch deletion fails: \(name) nullifies its inverse \"\(relation.inverseName ?? "")\", which "
                + "is mandatory, and row \(key) still has members.", file: nil, entity: entity.name,
            property: relation.name)
    }
}
