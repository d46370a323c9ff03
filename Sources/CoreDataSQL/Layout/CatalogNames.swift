// Looks tables and columns up by name. SQLite ignores case in names of ASCII letters, and so does this.

/// The names in a catalog by their upper-case form.
struct CatalogNames {
    private var tables: [String: String] = [:]
    private var columns: [String: [String]] = [:]

    init(_ catalog: StoreCatalog) {
        for (table, list) in catalog.tables {
            tables[table.uppercased()] = table
            columns[table.uppercased()] = list.map(\.name)
        }
    }

    var tableNames: [String] { tables.values.sorted() }

    func table(_ name: String) -> String? { tables[name.uppercased()] }

    func columns(of table: String) -> [String] { columns[table.uppercased()] ?? [] }

    func column(_ name: String, of table: String) -> String? {
        let wanted = name.uppercased()
        return columns(of: table).first { $0.uppercased() == wanted }
    }
}

/// A name that contains an entity number, `Z12_FOLDER`, `Z_12LABELS`, taken apart.
struct NumberedName: Equatable {
    var prefix: String
    var number: Int
    var rest: String

    init?(_ name: String) {
        let name = name.uppercased()
        let prefix = name.hasPrefix("Z_FOK_") ? "Z_FOK_" : name.hasPrefix("Z_") ? "Z_" : "Z"
        let digits = name.dropFirst(prefix.count).prefix { $0.isASCII && $0.isNumber }
        guard name.hasPrefix(prefix), let number = Int(digits) else { return nil }
        self.prefix = prefix
        self.number = number
        rest = String(name.dropFirst(prefix.count + digits.count))
    }
}

/// Finds the columns of one property in an entity's table.
struct ColumnSearch {
    let address: PropertyAddress
    let table: String
    let names: CatalogNames

    func column(_ name: String) throws -> String {
        if let found = names.column(name, of: table) { return found }
        throw missing(name)
    }

    /// A column whose name holds an entity number: one with an outdated number will do, if it is the only one.
    func numberedColumn(_ name: String) throws -> String {
        if let found = names.column(name, of: table) { return found }
        guard let wanted = NumberedName(name) else { throw missing(name) }
        let similar = names.columns(of: table).filter { column in
            guard let found = NumberedName(column) else { return false }
            return found.prefix == wanted.prefix && found.rest == wanted.rest
        }
        guard similar.count == 1 else { throw missing(name) }
        return similar[0]
    }

    func missing(_ name: String) -> LayoutFailure {
        LayoutFailure(
            entity: address.entity, property: address.property,
            "the store's table \(table) has no column \(name)")
    }
}
