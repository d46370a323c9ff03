// The columns of composite attributes' elements in stores that other programs made: no sample shows their names.

import CoreDataSchema

/// Finds the columns of elements by our names or, where a store lacks those, by the element's own name.
struct ElementColumns {
    /// The columns of other properties.
    private var claimed: Set<String> = []
    /// The number of elements of the table have a name.
    private var counts: [String: Int] = [:]

    init(_ expected: StoreBlueprint, root: String) {
        for shape in expected.tables where shape.rootName == root {
            claimed.formUnion(shape.columns.map { $0.name.uppercased() })
        }
        for (address, slot) in expected.slots {
            guard case .composite(let elements) = slot,
                (expected.index.entity(address.entity)?.rootName ?? address.entity) == root
            else { continue }
            for path in elements.keys { counts[Self.name(path), default: 0] += 1 }
        }
    }

    private static func name(_ path: String) -> String {
        "Z" + (path.split(separator: ".").last ?? "").uppercased()
    }

    /// Throws `LayoutFailure` if there is no such column, or more than one element that it could be.
    func column(_ expected: String, of path: String, in search: ColumnSearch) throws -> String {
        if let found = search.names.column(expected, of: search.table) { return found }
        let name = Self.name(path)
        guard counts[name] == 1, !claimed.contains(name),
            let found = search.names.column(name, of: search.table)
        else { throw search.missing(expected) }
        return found
    }
}
