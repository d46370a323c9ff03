// A file as the code over all databases asks it.

package import CoreDataSQL
import CoreDataSQLiteEngine
package import CoreDataSchema
package import Foundation

extension SQLiteFile {
    package func fetchRow(entity: EntityRuntime, primaryKey: Int64) throws -> RowSlab? {
        try engine.fetchRow(primaryKey: primaryKey, decoder: decoder(entity))
    }

    package func fetchValues(_ statement: SQLStatement) throws -> [[SQLBinding]] {
        try engine.fetchValues(statement)
    }

    package func externalData(_ cell: Data) throws -> Data {
        switch ExternalValue(cell: cell) {
        case .inline(let content): content
        case .file(let name): try engine.files.read(name)
        case nil: cell
        }
    }

    package func execute(_ statement: SQLStatement) throws {
        _ = try engine.execute(statement)
    }

    package func insert(_ rows: [StoreChanges.Row], of entity: EntityRuntime) throws {
        try engine.insert(
            rows.map(\.row), primaryKeys: rows.map(\.primaryKey), encoder: encoder(entity))
    }

    package func update(
        _ rows: [RowUpdate], of entity: EntityRuntime, refused: @escaping ([Int]) -> Void
    ) throws {
        refused(try engine.update(rows, encoder: encoder(entity)))
    }

    package func delete(
        primaryKeys: [Int64], versions: [Int64], of entity: EntityRuntime, refused: @escaping ([Int]) -> Void
    ) throws {
        refused(try engine.delete(primaryKeys: primaryKeys, versions: versions, encoder: encoder(entity)))
    }
}
