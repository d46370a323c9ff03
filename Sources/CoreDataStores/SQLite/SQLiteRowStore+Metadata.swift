// Metadata of stores in files that aren't open.

package import CoreDataSQL
import CoreDataSQLiteEngine
package import CoreDataSupport
package import Foundation

extension SQLiteRowStore {
    package func loadMetadata() throws {
        guard let url = host.url else { return }
        metadata = try Self.metadata(at: url)
    }

    package static func metadata(at url: URL) throws -> StoreMetadata {
        try mapping(url, occasion: .opening) {
            if isInMemory(url) {
                throw EngineFailure(
                    .missing, message: "Stores at /dev/null are in memory and leave nothing there.",
                    path: url.path)
            }
            return try SQLiteEngine.reading(path: url.path) { engine in
                guard try !engine.isEmpty() else {
                    throw EngineFailure(
                        .notAStore, message: "The database has no table Z_METADATA.", path: url.path)
                }
                return try engine.metadata(of: url)
            }
        }
    }

    package static func setMetadata(_ entries: [PropertyList.Entry], at url: URL) throws {
        try mapping(url, occasion: .saving) {
            var contents = try metadata(at: url)
            let engine = try SQLiteEngine(path: url.path, OpeningOptions(.readWrite))
            defer { engine.close() }
            contents.setClientEntries(entries)
            try engine.writeMetadata(uuid: contents.uuid, propertyList: contents.propertyList())
        }
    }

    /// Gives the failures of a closure that works on a closed store Apple's codes.
    static func mapping<Result>(
        _ url: URL, occasion: ErrorMapping.Occasion, body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch {
            throw ErrorMapping.error(error, occasion: occasion, file: url)
        }
    }
}
