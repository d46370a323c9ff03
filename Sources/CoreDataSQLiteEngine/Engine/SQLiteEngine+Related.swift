// Fetches over a to-many relationship: rows with the source that each belongs to.

package import CoreDataSQL
package import CoreDataSchema

extension SQLiteEngine {
    /// Fetches related rows in slabs of up to 256, with the source of each row and, if the relationship is
    /// ordered, its order key (0 where it has none).
    ///
    /// - Parameter statement: its columns are those of `decoder`, then the source, then the order key.
    package func fetchRelated(
        _ statement: SQLStatement, decoder: RowDecoder, isOrdered: Bool,
        into receive: (RowSlab, ContiguousArray<Int64>, ContiguousArray<Int64>?) throws -> Void
    ) throws {
        let source = decoder.columns.count + (decoder.isPolymorphic ? 3 : 2)
        let isLookUp = statement.bindings.count == 1
        try connection.withStatement(statement.text, bindings: statement.bindings, isLookUp: isLookUp) {
            statement in
            var slab = RowSlab(
                decoder.shape, capacity: relatedSize.capacity,
                arenaCapacity: max(relatedSize.bytes, decoder.arenaPerRow))
            var read = RelatedSize(rows: 0, bytes: 0)
            var sources: ContiguousArray<Int64> = []
            sources.reserveCapacity(slab.capacity)
            var orderKeys: ContiguousArray<Int64> = []
            while try statement.step() {
                guard decoder.decodeRow(statement.handle, into: slab, files: files) else {
                    continue
                }
                sources.append(statement.integer(source))
                if isOrdered { orderKeys.append(statement.integer(source + 1)) }
                if slab.count < slab.capacity { continue }
                try receive(slab, sources, isOrdered ? orderKeys : nil)
                read.add(slab)
                slab = RowSlab(
                    decoder.shape, capacity: min(RowSlab.capacity, slab.capacity * 4),
                    arenaCapacity: slab.arenaUsed)
                sources.removeAll()
                orderKeys.removeAll()
            }
            if slab.count > 0 { try receive(slab, sources, isOrdered ? orderKeys : nil) }
            read.add(slab)
            relatedSize = read
        }
    }
}
