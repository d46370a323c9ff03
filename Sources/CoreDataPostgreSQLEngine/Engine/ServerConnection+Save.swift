// Inserts, updates and deletes of rows, in a transaction of the caller's. Nothing waits: what the statements did is known
// once the connection has finished.

package import CoreDataSQL
package import CoreDataSchema
import CoreDataSupport

extension ServerConnection {
    /// Rows of one statement.
    private static let rowLimit = 2048
    /// About as many bytes of texts and the like go into one statement.
    private static let byteLimit = 8 << 20

    /// Inserts rows, each with the key at the same place of `primaryKeys`.
    package func insert(_ rows: [RowPointer], primaryKeys: [Int64], encoder: SlabEncoder) throws {
        for part in encoder.parts(
            rows, steps: encoder.steps, limit: Self.rowLimit, bytes: Self.byteLimit)
        {
            var parameters = ParameterList.keys(primaryKeys[part])
            parameters.append(binary: ArrayEncoder.integers(rows[part].map { max(1, $0.version) }))
            try encoder.append(Array(rows[part]), steps: encoder.steps, to: &parameters)
            try send(encoder.insertion, parameters: parameters)
        }
    }

    /// Writes changed slots and raises the version by one.
    ///
    /// - Parameters:
    ///   - updates: rows whose slots are the same.
    ///   - refused: called with the positions of updates that found no row with their key and version.
    package func update(
        _ updates: [RowUpdate], encoder: SlabEncoder, refused: @escaping ([Int]) -> Void
    ) throws {
        guard let slots = updates.first?.slots else { return }
        let (steps, text) = encoder.update(slots)
        for part in encoder.parts(
            updates.map(\.row), steps: steps, limit: Self.rowLimit, bytes: Self.byteLimit)
        {
            let rows = updates[part]
            var parameters = ParameterList.keys(rows.map(\.primaryKey))
            parameters.append(binary: ArrayEncoder.integers(rows.map(\.version)))
            parameters.append(binary: ArrayEncoder.integers(rows.map { RowVersion.next(after: $0.version) }))
            try encoder.append(rows.map(\.row), steps: steps, to: &parameters)
            try send(text, parameters: parameters) { result in
                let found = result.keys
                refused(part.filter { !found.contains(updates[$0].primaryKey) })
            }
        }
    }

    /// Deletes rows, each only if it has the version at the same place of `versions`.
    ///
    /// - Parameters:
    ///   - versions: `RowVersion.any` for a row that is deleted as it is, if there is one.
    ///   - refused: called with the positions of those that weren't there.
    package func delete(
        primaryKeys: [Int64], versions: [Int64], encoder: SlabEncoder, refused: @escaping ([Int]) -> Void
    ) throws {
        if primaryKeys.isEmpty { return }
        var parameters = ParameterList.keys(primaryKeys)
        parameters.append(binary: ArrayEncoder.integers(versions))
        try send(encoder.deletion, parameters: parameters) { result in
            let found = result.keys
            refused(
                primaryKeys.indices.filter {
                    versions[$0] != RowVersion.any && !found.contains(primaryKeys[$0])
                })
        }
    }
}

extension ServerResult {
    /// The keys in the first column.
    fileprivate var keys: Set<Int64> { Set((0..<rowCount).map { integer($0, column: 0) }) }
}
