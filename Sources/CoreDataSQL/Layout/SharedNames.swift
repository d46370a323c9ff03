// Names of tables, indexes and sequences, which share one space in a schema of PostgreSQL.

import CoreDataSchema

/// The names that a store takes in a schema. One that is taken gets a number.
struct SharedNames {
    private var taken: Set<String> = []

    /// Takes the names of tables and of indexes.
    init(tables: [String], indexes: [String] = []) {
        taken = Set(indexes)
        for table in tables { take(table) }
    }

    /// A table's own name and that of its sequence of keys. For the index of the primary key the server finds one itself.
    private mutating func take(_ table: String) {
        taken.formUnion([table, PostgreSQLSchema.sequence(ofTable: table), table + "_pkey"])
    }

    /// The name, or the name with the first number, under which the table and its sequence are the only ones.
    mutating func table(_ wanted: String) -> String {
        let name = numbered(wanted) {
            taken.isDisjoint(with: [$0, PostgreSQLSchema.sequence(ofTable: $0)])
        }
        take(name)
        return name
    }

    /// The same for an index or for a table without keys of its own.
    mutating func relation(_ wanted: String) -> String {
        let name = numbered(wanted) { !taken.contains($0) }
        taken.insert(name)
        return name
    }

    private func numbered(_ wanted: String, isFree: (String) -> Bool) -> String {
        firstFree(wanted, numbered: { PlainNaming.fitted(wanted, suffix: String($0)) }, isFree: isFree)
    }
}

extension StoreForm {
    /// Indicates whether all tables, indexes and sequences must have names of their own, and get numbers where they wouldn't.
    var sharesNames: Bool { !dialect.keepsFiles }

    /// The names of the tables of root entities. Those of stated names keep them, as do those that have the smaller number: they are
    /// the older ones.
    func tableNames(_ index: ModelIndex, numbering: EntityNumbering) -> [String: String] {
        let roots = numbering.names.filter { index.entity($0)?.rootName == $0 }
        var names = Dictionary(uniqueKeysWithValues: roots.map { ($0, table(ofRoot: $0, in: index)) })
        guard sharesNames else { return names }
        func isStated(_ root: String) -> Bool {
            stated(.table, in: index.entity(root)?.schema.userInfo) != nil
        }
        var shared = SharedNames(
            tables: roots.filter(isStated).compactMap { names[$0] },
            indexes: indexNames(index, numbering: numbering))
        let others = roots.filter { !isStated($0) }
        for root in others.sorted(by: { numbering.numbers[$0] ?? 0 < numbering.numbers[$1] ?? 0 }) {
            names[root] = names[root].map { shared.table($0) }
        }
        return names
    }

    /// The names of constraints and fetch indexes, for which tables make room: an index gets its name behind all tables.
    func indexNames(_ index: ModelIndex, numbering: EntityNumbering) -> [String] {
        if !sharesNames { return [] }
        return numbering.names.compactMap { index.entity($0)?.schema }.flatMap { entity in
            entity.uniquenessConstraints.map { naming.uniqueIndex(entity: entity.name, $0) }
                + entity.indexes.map { naming.fetchIndex(entity: entity.name, $0.name) }
        }
    }
}
