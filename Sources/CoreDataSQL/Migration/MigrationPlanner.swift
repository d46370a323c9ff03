// Plans the migration of a store in place: from its tables as they are to those that a new store of the newer
// version would have.
//
// Rows keep their Z_PK, so that links between them stay as they are unless the relationship changes its form. A
// table becomes the one that takes its root's place; of entities that leave a hierarchy the rows are copied out.

import CoreDataPredicate
package import CoreDataSchema
import CoreDataSupport
import Foundation

package struct MigrationPlanner {
    let old: StoreBlueprint
    let oldLayout: StoreLayout
    let catalog: StoreCatalog
    /// Names of the triggers in the file that keep derived attributes.
    let derivedTriggers: [String]
    let new: StoreBlueprint
    let newLayout: StoreLayout
    let difference: SchemaDifference
    let moves: [EntityMove]
    private(set) var tables: [TableMove] = []
    private(set) var joins: [JoinMove] = []
    /// The columns of each newer table, by its name.
    private(set) var columns: [String: [ColumnPlan]] = [:]
    private(set) var names = MigrationNames()
    private(set) var indexes = IndexMoves()
    /// The parts that a store on a server has; `nil` for a file.
    let server: ServerParts?
    private(set) var foreignKeys = ForeignKeyMoves()

    /// Plans the way from `old`, the places of the older version in the store (`LayoutReader.blueprint`), to `new`,
    /// those that the newer version would have in a new store (`LayoutBuilder.blueprint`).
    package static func plan(
        from old: StoreBlueprint, catalog: StoreCatalog, derivedTriggers: [String] = [],
        to new: StoreBlueprint, difference: SchemaDifference, on server: ServerParts? = nil
    ) throws -> MigrationPlan {
        var planner = MigrationPlanner(
            old, catalog: catalog, derivedTriggers: derivedTriggers, new: new, difference: difference,
            server: server)
        try planner.arrange()
        return try planner.plan()
    }

    private init(
        _ old: StoreBlueprint, catalog: StoreCatalog, derivedTriggers: [String], new: StoreBlueprint,
        difference: SchemaDifference, server: ServerParts?
    ) {
        self.old = old
        self.server = server
        self.catalog = catalog
        self.derivedTriggers = derivedTriggers
        self.new = new
        self.difference = difference
        let (before, after) = (old.layout(), new.layout())
        oldLayout = before
        newLayout = after
        moves = difference.pairs.compactMap { pair in
            guard let source = before[pair.source], let destination = after[pair.destination] else {
                return nil
            }
            return EntityMove(
                source: pair.source, sourceNumber: source.number, destination: pair.destination,
                destinationNumber: destination.number, sourceTable: source.table)
        }
    }

    private mutating func arrange() throws {
        tables = try tableMoves()
        for table in tables { columns[table.shape.name] = plannedColumns(of: table) }
        joins = joinMoves()
        renameTables()
        for table in tables where table.takesOver { renameColumns(of: table) }
        for join in joins { renameColumns(of: join) }
        indexes = try indexMoves()
        if let server { foreignKeys = try foreignKeyMoves(server) }
    }

    // MARK: Tables

    private func tableMoves() throws -> [TableMove] {
        var tables = new.tables.map { shape in
            let members = moves.filter { newLayout[$0.destination]?.rootName == shape.rootName }
            return TableMove(shape: shape, sourceTable: members.first?.sourceTable, moves: members)
        }
        for table in tables {
            let sources = Set(table.moves.map(\.sourceTable))
            if sources.count <= 1 { continue }
            throw LayoutFailure(
                entity: table.shape.rootName,
                "rows of several tables (\(sources.sorted().joined(separator: ", "))) would have to share one"
            )
        }
        for former in old.tables {
            let heirs = tables.indices.filter { tables[$0].sourceTable == former.name }
            let counterpart = difference.pair(source: former.rootName)?.destination
            let heir =
                heirs.first { tables[$0].moves.contains { $0.destination == counterpart } } ?? heirs.first
            if let heir { tables[heir].takesOver = true }
        }
        return tables
    }

    private mutating func renameTables() {
        var renamings: [(from: String, to: String)] = []
        let taken = Dictionary(
            tables.filter(\.takesOver).map { ($0.sourceTable ?? "", $0.shape.name) }
                + joins.compactMap { join in join.takenOver.map { ($0, join.shape.table) } },
            uniquingKeysWith: { first, _ in first })
        let wanted = Set(tables.map(\.shape.name) + joins.map(\.shape.table))
        let occupied = Set(wanted.map { $0.uppercased() })
        for name in oldTables {
            if let target = taken[name] {
                renamings.append((name, target))
            } else if occupied.contains(name.uppercased()) {
                renamings.append((name, "Z_MIGRATION_OLD_\(renamings.count)"))
            }
        }
        names.renameTables(renamings, vacating: [])
        if server == nil { return }
        let links = Set(old.joins.map(\.table))
        names.renameSequences(
            renamings.filter { $0.from != $0.to && !links.contains($0.from) }.map {
                (PostgreSQLSchema.sequence(ofTable: $0.from), PostgreSQLSchema.sequence(ofTable: $0.to))
            })
    }

    /// The store's own tables for rows and links.
    var oldTables: [String] { (old.tables.map(\.name) + old.joins.map(\.table)).sorted() }

    private mutating func renameColumns(of table: TableMove) {
        guard let source = table.sourceTable, let plans = columns[table.shape.name] else { return }
        let renamings = plans.compactMap { plan in plan.kept.map { (from: $0, to: plan.name) } }
        names.renameColumns(
            of: source, renamings, existing: Set(oldColumns(of: source)), vacating: Set(plans.map(\.name)))
    }

    private mutating func renameColumns(of join: JoinMove) {
        guard let source = join.takenOver, case .join(let former)? = join.forms.first?.column else { return }
        let flipped = join.forms[0].isFlipped
        let pairs: [(String?, String?)] = [
            (flipped ? former.destinationColumn : former.sourceColumn, join.columns.sourceColumn),
            (flipped ? former.sourceColumn : former.destinationColumn, join.columns.destinationColumn),
            (flipped ? former.inverseOrderColumn : former.orderColumn, join.columns.orderColumn),
            (flipped ? former.orderColumn : former.inverseOrderColumn, join.columns.inverseOrderColumn),
        ]
        let renamings = pairs.compactMap { from, to -> (from: String, to: String)? in
            guard let from, let to else { return nil }
            return (from, to)
        }
        names.renameColumns(
            of: source, renamings, existing: Set(renamings.map(\.from)), vacating: [])
    }

    var dialect: any Dialect { new.form.dialect }
    var head: HeadColumns { new.form.naming.head }

    func statement(_ fragment: SQLFragment) -> SQLStatement { fragment.statement(in: dialect) }

    /// The columns of an older table beside those that every table has.
    func oldColumns(of table: String) -> [String] {
        let own = Set(head.all.map { $0.uppercased() })
        return (catalog.tables[table] ?? []).map(\.name).filter { !own.contains($0.uppercased()) }
    }
}
