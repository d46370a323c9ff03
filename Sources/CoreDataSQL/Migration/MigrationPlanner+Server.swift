// The steps that only a store on a server needs: foreign keys, sequences, defaults, comments, what it knows about itself, and
// what can be done beside programs at work.

import CoreDataSchema

/// Foreign keys that go before rows change, that get another name, and that are made at the end.
struct ForeignKeyMoves {
    var dropped: [SQLStatement] = []
    var renamed: [SQLStatement] = []
    var added: [ForeignKeyShape] = []
}

extension MigrationPlanner {
    // MARK: Foreign keys

    /// The server checks keys when the transaction ends, and doesn't change tables that are to be checked: keys of tables whose
    /// rows change go first.
    func foreignKeyMoves(_ server: ServerParts) throws -> ForeignKeyMoves {
        var moves = ForeignKeyMoves()
        var renamings: [(table: String, from: String, to: String)] = []
        var wanted = PostgreSQLSchema(new, schema: server.schema).foreignKeys
        let changed = try changedTables()
        for key in PostgreSQLSchema(old, schema: server.schema).foreignKeys
        where server.foreignKeys[key.table]?.contains(key.name) == true {
            let (table, target) = (presentTable(key.table), presentTable(key.target))
            let column = names.column(key.column, of: key.table)
            let position = wanted.firstIndex {
                $0.table == table && $0.target == target && $0.column == column
            }
            guard let position, let table, let target, changed.isDisjoint(with: [table, target]) else {
                let text: SQLFragment = "ALTER TABLE \(name: key.table) DROP CONSTRAINT \(name: key.name)"
                moves.dropped.append(statement(text))
                continue
            }
            let kept = wanted.remove(at: position)
            if kept.name != key.name { renamings.append((table, from: key.name, to: kept.name)) }
        }
        moves.renamed = self.renamings(renamings)
        moves.added = wanted
        return moves
    }

    /// By way of spare names, as names may be swapped.
    private func renamings(_ names: [(table: String, from: String, to: String)]) -> [SQLStatement] {
        let steps = names.enumerated().map { ($1, spare: "Z_MIGRATION_KEY_\($0)") }
        func rename(_ table: String, _ from: String, _ to: String) -> SQLStatement {
            statement("ALTER TABLE \(name: table) RENAME CONSTRAINT \(name: from) TO \(name: to)")
        }
        return steps.map { rename($0.table, $0.from, $1) } + steps.map { rename($0.table, $1, $0.to) }
    }

    /// The newer tables of which rows are written.
    private func changedTables() throws -> Set<String> {
        let all = Set(tables.map(\.shape.name) + joins.map(\.shape.table))
        if try !completions().isEmpty { return all }
        let changed = tables.filter {
            !$0.takesOver || !assignments(of: $0).isEmpty || !deletions(in: $0).isEmpty
        }
        return Set(changed.map(\.shape.name) + joins.filter { $0.takenOver == nil }.map(\.shape.table))
    }

    // MARK: The end

    /// The last steps of a migration on a server.
    func serverSteps(_ server: ServerParts, isAdditive: Bool) throws -> [MigrationPlan.Step] {
        let schema = PostgreSQLSchema(new, schema: server.schema)
        try schema.checkNames(new, indexes: new.indexes())
        var steps = step(
            "rename indexes and foreign keys",
            statements: indexes.renamed.map(statement) + foreignKeys.renamed)
        steps += step(
            "make indexes",
            statements: indexes.created.filter { !isLeft($0, on: server) }.flatMap { index in
                server.unlimitedIndexes.contains(index.name) ? index.unlimited : [SQLStatement(index.text)]
            })
        steps += step(
            "make foreign keys",
            statements: foreignKeys.added.map { key in
                statement(
                    key.addition(
                        isReleased: isAdditive && isKnown(key.target),
                        isValid: !isLarge(key.table, on: server)))
            })
        steps += step("set defaults", statements: defaults())
        steps += step(
            "number entities",
            statements: [server.catalogue.deleteEntityRows] + server.catalogue.entityRows(new))
        if server.keepsHistory {
            steps += step(
                "carry the history over", statements: server.catalogue.historyMoves(historyRenamings()))
        }
        steps += try derivationSteps(schema)
        steps += step("comment", statements: schema.comments(new).map(statement))
        return steps
    }

    // MARK: Derived attributes

    /// Takes away what keeps them, unless the newer version keeps them in the same way, and their values and tables stay.
    func derivationRemovals() throws -> [SQLStatement] {
        guard let server else { return [] }
        let former = try PostgreSQLSchema(old, schema: server.schema).derivations
        let newer = try PostgreSQLSchema(new, schema: server.schema).derivations
        let stays = former.marks == newer.marks && (newer.isEmpty || !changesDerivedValues)
        return stays ? [] : [former.removal]
    }

    /// Computes those that are new, and keeps all from now on.
    private func derivationSteps(_ schema: PostgreSQLSchema) throws -> [MigrationPlan.Step] {
        if try derivationRemovals().isEmpty { return [] }
        let derivations = try schema.derivations
        return step(
            "compute derived attributes",
            statements: derivations.recomputations(
                of: { isNewDerivation(of: $1, in: $0) }, isStale: changesDerivedValues))
            + step("make triggers of derived attributes", statements: derivations.definitions)
    }

    /// The work that the migration leaves for later, as it would keep others out for long.
    func workLeft(_ server: ServerParts) -> [PostgreSQLCatalogue.Work] {
        let indexes = indexes.created.filter { isLeft($0, on: server) }.map { index in
            PostgreSQLCatalogue.Work(
                summary: "make index \(index.name)",
                preparation: text("DROP INDEX CONCURRENTLY IF EXISTS \(name: index.name)"),
                statement: IndexShape.besideOthers(index.text))
        }
        let keys = foreignKeys.added.filter { isLarge($0.table, on: server) }.map { key in
            PostgreSQLCatalogue.Work(
                summary: "check foreign key \(key.name)", preparation: nil,
                statement: text("ALTER TABLE \(name: key.table) VALIDATE CONSTRAINT \(name: key.name)"))
        }
        return indexes + keys
    }

    private func text(_ fragment: SQLFragment) -> String { fragment.inlined(in: dialect) }

    private func isLeft(_ index: IndexShape, on server: ServerParts) -> Bool {
        !index.isUnique && isLarge(index.table, on: server)
    }

    /// Returns whether a newer table has so many rows that nobody is to be kept out while they are read.
    private func isLarge(_ table: String, on server: ServerParts) -> Bool {
        server.largeTables.contains { presentTable($0) == table }
    }

    /// Returns whether a newer table is one that the older version has.
    private func isKnown(_ table: String) -> Bool { oldTables.contains { presentTable($0) == table } }

    // MARK: Keys and defaults

    /// A new table's sequence of keys, which goes on behind that of the table from which rows come.
    func keys(of table: TableMove) -> [SQLStatement] {
        guard let server else { return [] }
        var statements = PostgreSQLSchema(new, schema: server.schema).keys(table.shape)
        if let source = table.sourceTable {
            let sequence = sqlText(quoted(identifier: PostgreSQLSchema.sequence(table.shape)))
            statements.append(
                """
                SELECT setval(\(sql: sequence), last_value, is_called) \
                FROM \(name: PostgreSQLSchema.sequence(ofTable: names.table(source)))
                """)
        }
        return statements.map(statement)
    }

    /// The number of the only entity of a table is the default of its rows'.
    private func defaults() -> [SQLStatement] {
        tables.compactMap { table in
            guard table.takesOver, let former = old.tables.first(where: { $0.name == table.sourceTable })
            else {
                return nil
            }
            let number = table.shape.isPolymorphic ? nil : new.numbering.numbers[table.shape.rootName]
            if number == (former.isPolymorphic ? nil : old.numbering.numbers[former.rootName]) { return nil }
            let change: SQLFragment = number.map { "SET DEFAULT \(number: $0)" } ?? "DROP DEFAULT"
            return statement(
                "ALTER TABLE \(name: table.shape.name) ALTER COLUMN \(name: head.entity) \(change)")
        }
    }

    // MARK: Programs at work

    /// Indicates whether programs with the older version can go on: nothing that they know is another than before.
    func isAdditive() throws -> Bool {
        guard difference.removed.isEmpty, difference.neededValues.isEmpty,
            difference.pairs.allSatisfy(\.isAdditive), names.statements.isEmpty, indexes.early.isEmpty,
            foreignKeys.dropped.isEmpty, drops().isEmpty, deletions().isEmpty,
            updates(ofChosen: true).isEmpty, updates(ofChosen: false).isEmpty,
            movedRows().isEmpty, movedLinks().isEmpty, try completions().isEmpty
        else { return false }
        let taken = tables.filter(\.takesOver)
        let added = Dictionary(
            taken.map {
                ($0.shape.name, Set((columns[$0.shape.name] ?? []).filter { $0.kept == nil }.map(\.name)))
            },
            uniquingKeysWith: { first, _ in first })
        return taken.allSatisfy(hasSameEntities)
            && indexes.created.allSatisfy { !$0.isUnique || !isKnown($0.table) }
            && foreignKeys.added.allSatisfy { key in
                !isKnown(key.table) || added[key.table]?.contains(key.column) == true
            }
    }

    private func hasSameEntities(_ table: TableMove) -> Bool {
        guard let former = old.tables.first(where: { $0.name == table.sourceTable }) else { return false }
        return new.numbering.subtree(of: table.shape.rootName, in: new.index).count
            == old.numbering.subtree(of: former.rootName, in: old.index).count
    }

    // MARK: Spare columns

    /// Columns of large tables that can be filled before: values of the row itself.
    func spares(_ server: ServerParts) -> [SpareColumn] {
        tables.flatMap { table -> [SpareColumn] in
            guard table.takesOver, let source = table.sourceTable, server.largeTables.contains(source) else {
                return []
            }
            return (columns[table.shape.name] ?? []).filter { !pendingValues(of: $0, in: table).isEmpty }
                .compactMap { spare($0, of: table, from: source) }
        }
    }

    private func spare(_ plan: ColumnPlan, of table: TableMove, from source: String) -> SpareColumn? {
        let values = plan.values.filter { $0.value != .null }
        if values.values.contains(where: \.isElsewhere) { return nil }
        let writer = ColumnWriter(names: MigrationNames(), table: source, form: new.form)
        let value = writer.fragment(values, among: table.moves.map(\.sourceNumber), rest: "NULL")
        return SpareColumn(
            table: source, column: plan.name, type: plan.type, value: value.inlined(in: dialect))
    }

    /// Lets newer columns be those that are filled for them.
    func claimSpares(_ plans: inout [ColumnPlan], of table: TableMove) {
        guard let server, let source = table.sourceTable else { return }
        for position in plans.indices {
            guard let wanted = spare(plans[position], of: table, from: source),
                let spare = server.spares.first(where: {
                    $0.isFilled && $0.table == wanted.table && $0.column == wanted.column
                        && $0.value == wanted.value && $0.type == wanted.type
                })
            else { continue }
            plans[position].kept = spare.name
            for move in table.moves { plans[position].values[move.sourceNumber] = .column(spare.name) }
        }
    }

    /// Takes away what fills spare columns, and those that aren't wanted.
    func spareRemovals() -> [SQLStatement] {
        guard let server else { return [] }
        let kept = columns.values.flatMap { $0.compactMap(\.kept) }
        return server.catalogue.removals(of: server.spares, keeping: Set(kept))
    }
}

extension EntityPair {
    /// Indicates whether programs with the older version needn't know of the changes.
    fileprivate var isAdditive: Bool {
        removed.isEmpty && emptied.isEmpty && changes.allSatisfy(\.isUnnoticed)
            && properties.allSatisfy { $0.changes.allSatisfy(\.isUnnoticed) }
    }
}

extension EntityChange {
    fileprivate var isUnnoticed: Bool {
        switch self {
        case .indexes, .className: true
        // A modifier says that programs of the two versions mean different things.
        case .renamed, .isAbstract, .superentity, .uniquenessConstraints, .versionHashModifier: false
        }
    }
}

extension PropertyChange {
    fileprivate var isUnnoticed: Bool {
        switch self {
        case .defaultValue, .validation, .externalStorage, .preservesValueInHistory, .counts, .deleteRule,
            .request:
            true
        case .renamed, .moved, .versionHashModifier, .isOptional, .isTransient, .attributeType,
            .valueTransformer, .derivation,
            .elements, .isToMany, .isOrdered, .destination, .inverse:
            false
        }
    }
}
