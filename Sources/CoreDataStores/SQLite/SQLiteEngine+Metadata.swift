// The data of a store's file about itself.

package import CoreDataSQL
package import CoreDataSQLiteEngine
package import Foundation

extension SQLiteEngine {
    /// Returns whether the database has no tables: then a store can be made in it.
    package func isEmpty() throws -> Bool { try catalog().tables.isEmpty }

    /// Returns the store's data about itself.
    package func metadata(of url: URL?) throws -> StoreMetadata {
        guard try catalog().isStore else {
            throw EngineFailure(
                .notAStore, message: "The database lacks the tables Z_METADATA and Z_PRIMARYKEY.", path: path)
        }
        guard let row = try metadataRow() else { throw MetadataFailure(reason: "the table has no row") }
        return try StoreMetadata(uuid: row.uuid, propertyList: row.propertyList)
    }
}
