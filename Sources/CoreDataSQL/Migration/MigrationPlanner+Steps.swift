// The steps of a migration in their order.
//
// Everything that keeps its place gets its new name first. Data from elsewhere in the older form (links that
// change their form, rows that leave a table) are read before rows change, and only then is anything dropped.

import CoreDataSchema

extension MigrationPlanner {
    func plan() throws -> MigrationPlan {
        var plan = MigrationPlan()
        plan.checks = checks()
        plan.fits = fits()
        plan.droppedCells = dialect.keepsFiles ? droppedCells() : []
        plan.historyMoves = historyMoves()
        plan.isAdditive = try server != nil && isAdditive()
        plan.steps = losses()
        plan.steps += step(
            "remove triggers of derived attributes", statements: derivedTriggers.map(dropTrigger))
        plan.steps += step("remove R-tree indexes", statements: treeRemovals())
        plan.steps += try step("remove what keeps derived attributes", statements: derivationRemovals())
        plan.steps += step("remove what fills columns", statements: spareRemovals())
        plan.steps += step("remove foreign keys", statements: foreignKeys.dropped)
        plan.steps += step("remove indexes that must be unique", statements: indexes.early.map(dropIndex))
        plan.steps += step("remove links that can't stay", statements: severances())
        plan.steps += step("rename tables and columns", statements: names.statements.map(statement))
        plan.steps += additions()
        plan.steps += movedLinks()
        plan.steps += movedRows()
        plan.steps += updates(ofChosen: true)
        plan.steps += step("remove rows that have no table any more", statements: deletions())
        plan.steps += updates(ofChosen: false)
        plan.steps += step("complete links", statements: try completions())
        plan.steps += step("remove indexes", statements: indexes.late.map(dropIndex))
        plan.steps += step("remove columns and tables", statements: drops())
        guard let server else {
            plan.steps += try fileSteps()
            return plan
        }
        plan.steps += try serverSteps(server, isAdditive: plan.isAdditive)
        plan.workLeft = workLeft(server)
        plan.spares = spares(server)
        return plan
    }

    /// The last steps of a migration of a file.
    private func fileSteps() throws -> [MigrationPlan.Step] {
        var steps = step("make indexes", statements: indexes.created.map { SQLStatement($0.text) })
        steps += step("number entities", statements: entityNumbers())
        steps += step("carry the history over", statements: historyStatements())
        let derived = try DerivedTriggers(new.index, layout: newLayout)
        steps += step(
            "compute derived attributes",
            statements: derived.recomputations(
                of: { isNewDerivation(of: $1, in: $0) }, isStale: changesDerivedValues))
        steps += step(
            "make triggers of derived attributes",
            statements: derived.triggers.filter(\.isPortable).map { SQLStatement($0.statement()) })
        for tree in try new.rangeTrees() {
            let texts = [tree.definition, tree.filling] + tree.triggers().map(\.text)
            steps += step("make R-tree index \(tree.name)", statements: texts.map { SQLStatement($0) })
        }
        return steps
    }

    /// R-trees are made anew: what may be in the way, and whatever keeps it.
    private func treeRemovals() -> [SQLStatement] {
        let names = Set((old.rangeTreeNames + new.rangeTreeNames).map { $0.uppercased() })
        let trees = catalog.virtualTables.filter { names.contains($0.uppercased()) }
        let keepers = catalog.triggers.filter { trigger in trees.contains(where: trigger.mentions) }
        return keepers.map { dropTrigger($0.name) }
            + trees.map { statement("DROP TABLE \(name: $0)") }
    }

    func step(
        _ summary: String, statements: [SQLStatement], count: SQLStatement? = nil
    ) -> [MigrationPlan.Step] {
        statements.isEmpty ? [] : [MigrationPlan.Step(summary, statements: statements, count: count)]
    }

    private func dropIndex(_ name: String) -> SQLStatement { statement("DROP INDEX \(name: name)") }

    private func dropTrigger(_ name: String) -> SQLStatement { statement("DROP TRIGGER \(name: name)") }

    // MARK: Losses

    /// Returns the parts that have no counterpart; they go as a consequence of other steps.
    private func losses() -> [MigrationPlan.Step] {
        var steps: [MigrationPlan.Step] = []
        for name in difference.removed {
            guard let place = oldLayout[name], old.index.entity(name)?.schema.isAbstract == false else {
                continue
            }
            steps.append(
                MigrationPlan.Step(
                    "drop entity \(name)", statements: [], count: count(place.table, condition: isOf(place)),
                    losesData: true))
        }
        for pair in difference.pairs {
            guard let place = oldLayout[pair.source],
                old.index.entity(pair.source)?.schema.isAbstract == false
            else { continue }
            for name in pair.removed {
                guard let count = valueCount(name, place: place) else { continue }
                let emptied = pair.emptied.first { $0.source == name }
                let summary =
                    emptied.map {
                        "empty \(pair.destination).\($0.destination), whose destination \($0.formerEntity) is gone"
                    } ?? "drop \(pair.source).\(name)"
                steps.append(MigrationPlan.Step(summary, statements: [], count: count, losesData: true))
            }
            for property in pair.properties where property.changes.contains(.isToMany(false)) {
                steps.append(
                    MigrationPlan.Step(
                        "keep one member of \(pair.destination).\(property.destination)", statements: [],
                        count: valueCount(property.source, place: place), losesData: true))
            }
        }
        return steps
    }

    private func valueCount(_ name: String, place: EntityTable) -> SQLStatement? {
        let own = isOf(place)
        let keys: SQLFragment = "SELECT \(name: head.key) FROM \(name: place.table) WHERE \(own)"
        switch place.columns[name] {
        case .attribute(let column, _), .toOne(let column, _, _, _):
            return count(place.table, condition: "\(own) AND \(name: column) IS NOT NULL")
        case .toMany(let table, let column, _, _, _):
            return count(table, condition: "\(name: column) IN (\(keys))")
        case .join(let join):
            return count(join.table, condition: "\(name: join.sourceColumn) IN (\(keys))")
        case .composite, nil: return nil
        }
    }

    private func isOf(_ place: EntityTable) -> SQLFragment {
        "\(name: place.head.entity) = \(number: place.number)"
    }

    func count(_ table: String, condition: SQLFragment) -> SQLStatement {
        statement("SELECT COUNT(*) FROM \(name: table) WHERE \(condition)")
    }

    // MARK: Additions

    private func additions() -> [MigrationPlan.Step] {
        var steps: [MigrationPlan.Step] = []
        for table in tables {
            if !table.takesOver {
                steps += step(
                    "make table \(table.shape.name)",
                    statements: [SQLStatement(table.shape.definition(new.form))] + keys(of: table))
                continue
            }
            let added = (columns[table.shape.name] ?? []).filter { $0.kept == nil }
            steps += step(
                "add to \(table.shape.name): \(added.map(\.name).joined(separator: ", "))",
                statements: added.map { addition($0, to: table.shape.name) })
        }
        for join in joins where join.takenOver == nil {
            steps += step(
                "make table \(join.shape.table)", statements: [SQLStatement(join.shape.definition(new.form))])
        }
        return steps
    }

    private func addition(_ plan: ColumnPlan, to table: String) -> SQLStatement {
        let filling = plan.filling.map { " DEFAULT " + $0.inlined(in: dialect) } ?? ""
        return statement(
            "ALTER TABLE \(name: table) ADD COLUMN \(name: plan.name) \(sql: plan.type + filling)")
    }

    func movedLinks() -> [MigrationPlan.Step] {
        joins.filter { $0.takenOver == nil }.flatMap { join in
            step(
                "fill \(join.shape.table)", statements: join.forms.compactMap { filling(join, form: $0) },
                count: join.forms.first.flatMap(linkCount))
        }
    }

    private func linkCount(_ form: LinkForm) -> SQLStatement? {
        switch form.column {
        case .join(let join): count(join.table, condition: dialect.truth)
        case .toMany(let table, let column, _, _, _): count(table, condition: "\(name: column) IS NOT NULL")
        case .toOne(let column, _, _, _): count(form.table, condition: "\(name: column) IS NOT NULL")
        case .attribute, .composite: nil
        }
    }

    // MARK: Rows

    func movedRows() -> [MigrationPlan.Step] {
        tables.filter { !$0.takesOver }.flatMap { table -> [MigrationPlan.Step] in
            guard let source = table.sourceTable else { return [] }
            let writer = ColumnWriter(names: names, table: source, form: new.form)
            let numbers = table.moves.map(\.sourceNumber)
            var columns = head.all
            var values = columns.map(SQLFragment.init(name:))
            values[1] = renumbering(values[1], numbers: renumberings(table))
            for plan in self.columns[table.shape.name] ?? [] where !plan.values.isEmpty {
                columns.append(plan.name)
                values.append(writer.fragment(plan.values, among: numbers, rest: "NULL"))
            }
            let moved: SQLFragment = """
                INSERT INTO \(name: table.shape.name) (\(names: columns)) \
                SELECT \(values.joined(separator: ", ")) FROM \(name: names.table(source)) WHERE \(isOf(numbers))
                """
            return step(
                "move rows to \(table.shape.name)", statements: [statement(moved)],
                count: count(source, condition: isOf(numbers)))
        }
    }

    private func renumberings(_ table: TableMove) -> [Int: Int] {
        Dictionary(
            table.moves.map { ($0.sourceNumber, $0.destinationNumber) },
            uniquingKeysWith: { first, _ in first })
    }

    func deletions() -> [SQLStatement] { tables.flatMap(deletions(in:)) }

    /// Rows of a table that takes over an older one without their entity.
    func deletions(in table: TableMove) -> [SQLStatement] {
        guard table.takesOver else { return [] }
        let staying = Set(table.moves.map(\.sourceNumber))
        let leaving = oldLayout.tables.values.filter { $0.table == table.sourceTable }.map(\.number)
            .filter { !staying.contains($0) }
        if leaving.isEmpty { return [] }
        return [statement("DELETE FROM \(name: table.shape.name) WHERE \(isOf(leaving))")]
    }

    private func isOf(_ numbers: some Sequence<Int>) -> SQLFragment {
        "\(name: head.entity) IN (\(numbers: numbers.sorted()))"
    }

    /// One pass over the rows of each table whose rows change.
    ///
    /// - Parameter isChosen: whether it is for the values that are read from other rows, as long as all of those are there.
    func updates(ofChosen isChosen: Bool) -> [MigrationPlan.Step] {
        tables.flatMap { table -> [MigrationPlan.Step] in
            let found = assignments(of: table).filter { $0.isChosen == isChosen }
            guard let source = table.sourceTable, !found.isEmpty else { return [] }
            let all = Set(table.moves.map(\.sourceNumber))
            let concerned = found.reduce(into: Set<Int>()) { $0.formUnion($1.numbers) }
            let list = found.map { "\(name: $0.column) = \($0.value)" as SQLFragment }.joined(separator: ", ")
            var text: SQLFragment = "UPDATE \(name: table.shape.name) SET \(list)"
            if isChosen || concerned != all { text += " WHERE \(isOf(concerned))" }
            return step(
                "write \(table.shape.name): \(found.map(\.column).joined(separator: ", "))",
                statements: [statement(text)], count: count(source, condition: isOf(concerned)))
        }
    }

    struct Assignment {
        var column: String
        var value: SQLFragment
        /// The older entities whose rows it concerns.
        var numbers: Set<Int>
        var isChosen = false
    }

    func assignments(of table: TableMove) -> [Assignment] {
        guard table.takesOver, let source = table.sourceTable else { return [] }
        let writer = ColumnWriter(names: names, table: source, form: new.form)
        let numbers = table.moves.map(\.sourceNumber)
        var found: [Assignment] = []
        for plan in columns[table.shape.name] ?? [] {
            let pending = pendingValues(of: plan, in: table)
            let chosen = pending.filter(\.value.isElsewhere)
            for (values, isChosen) in [(chosen, true), (pending.filter { !$0.value.isElsewhere }, false)]
            where !values.isEmpty {
                // Rows of others keep what they have, or have by now.
                let rest: SQLFragment =
                    plan.kept == nil && (isChosen || chosen.isEmpty) ? "NULL" : "\(name: plan.name)"
                found.append(
                    Assignment(
                        column: plan.name, value: writer.fragment(values, among: numbers, rest: rest),
                        numbers: Set(values.keys), isChosen: isChosen))
            }
        }
        let renumbered = renumberings(table).filter { $0.key != $0.value }
        if !renumbered.isEmpty {
            found.append(
                Assignment(
                    column: head.entity, value: renumbering("\(name: head.entity)", numbers: renumbered),
                    numbers: Set(renumbered.keys)))
        }
        return found
    }

    /// The values that aren't in their column yet.
    func pendingValues(of plan: ColumnPlan, in table: TableMove) -> [Int: ColumnValue] {
        var pending: [Int: ColumnValue] = [:]
        for move in table.moves {
            let value = plan.values[move.sourceNumber] ?? .null
            if let filling = plan.filling, value == .constant(filling) { continue }
            if let kept = plan.kept {
                if value == .column(kept) { continue }
                if value == .null, !usedColumns(of: move.source).contains(kept.uppercased()) { continue }
            } else if value == .null {
                continue
            }
            pending[move.sourceNumber] = value
        }
        return pending
    }

    /// The columns in which rows of an older entity may hold anything.
    private func usedColumns(of entity: String) -> Set<String> {
        var found: Set<String> = []
        for column in oldLayout[entity]?.columns.values ?? [:].values { found.formUnion(column.ownColumns) }
        for case .toMany(_, let column, _, let order, let destination) in old.slots.values
        where old.index.entity(entity, isKindOf: destination) {
            found.formUnion([column, order].compactMap { $0?.uppercased() })
        }
        return found
    }

    // MARK: The end

    func drops() -> [SQLStatement] {
        var statements: [SQLStatement] = []
        for table in tables where table.takesOver {
            guard let source = table.sourceTable else { continue }
            let kept = Set((columns[table.shape.name] ?? []).compactMap { $0.kept?.uppercased() })
            let known = knownColumns(of: source)
            for column in oldColumns(of: source)
            where !kept.contains(column.uppercased()) && known.contains(column.uppercased()) {
                let name = names.column(column, of: source)
                statements.append(
                    statement("ALTER TABLE \(name: table.shape.name) DROP COLUMN \(name: name)"))
            }
        }
        let kept = Set(
            tables.filter(\.takesOver).compactMap(\.sourceTable) + joins.compactMap(\.takenOver))
        for table in oldTables where !kept.contains(table) {
            statements.append(statement("DROP TABLE \(name: names.table(table))"))
        }
        return statements
    }

    /// The columns that the older version has in a table; others are somebody else's and stay.
    private func knownColumns(of table: String) -> Set<String> {
        var found: Set<String> = []
        for place in oldLayout.tables.values where place.table == table {
            for column in place.columns.values { found.formUnion(column.ownColumns) }
        }
        for case .toMany(table, let column, _, let order, _) in old.slots.values {
            found.formUnion([column, order].compactMap { $0?.uppercased() })
        }
        return found
    }

    /// Z_PRIMARYKEY anew, except for the history's rows. Keys that were given out once are never given out again.
    private func entityNumbers() -> [SQLStatement] {
        let maxima = Dictionary(
            catalog.entityNumbers.map { ($0.number, $0.maximum) }, uniquingKeysWith: { first, _ in first })
        var statements = [
            SQLStatement(
                "DELETE FROM Z_PRIMARYKEY WHERE Z_ENT < ?",
                bindings: [.integer(Int64(HistoryLayout.changeNumber))])
        ]
        for name in new.numbering.names {
            guard let place = newLayout[name] else { continue }
            var maximum: Int64 = 0
            if place.rootName == name,
                let source = tables.first(where: { $0.shape.rootName == name })?.sourceTable
            {
                maximum =
                    oldLayout.tables.values.filter { $0.table == source }.compactMap { maxima[$0.number] }
                    .max()
                    ?? 0
            }
            statements.append(
                SQLStatement(
                    "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, ?)",
                    bindings: [
                        .integer(Int64(place.number)), .text(name), .integer(Int64(place.superNumber)),
                        .integer(maximum),
                    ]))
        }
        return statements
    }
}

extension PropertyColumn {
    /// The columns in the table of the entity that has the property.
    fileprivate var ownColumns: Set<String> {
        switch self {
        case .attribute(let column, _): [column.uppercased()]
        case .composite(let elements):
            elements.values.reduce(into: Set<String>()) { $0.formUnion($1.ownColumns) }
        case .toOne(let column, let entityColumn, let orderColumn, _):
            Set([column, entityColumn, orderColumn].compactMap { $0?.uppercased() })
        case .toMany, .join: []
        }
    }
}
