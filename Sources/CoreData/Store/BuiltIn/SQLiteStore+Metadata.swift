// Metadata between the file's property list and the dictionary that clients see.

import CoreDataSQL
import CoreDataSQLiteEngine
import CoreDataStores
import CoreDataSupport
import Foundation

extension SQLiteStore {
    static func readMetadata(at url: URL) throws -> StoreMetadata {
        try mapping(url, .opening) {
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

    static func writeMetadata(_ metadata: [String: Any], at url: URL) throws {
        try mapping(url, .saving) {
            var contents = try readMetadata(at: url)
            let engine = try SQLiteEngine(path: url.path, OpeningOptions(.readWrite))
            defer { engine.close() }
            contents.setClientEntries(try PropertyList.entries(of: metadata))
            try engine.writeMetadata(uuid: contents.uuid, propertyList: contents.propertyList())
        }
    }

    private static func mapping<Result>(
        _ url: URL, _ occasion: ErrorMapping.Occasion, _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch {
            throw ErrorMapping.error(error, occasion, file: url)
        }
    }

    /// Takes over what a client set; the next save writes it. What no property list can hold stops the
    /// process, as Apple's framework raises.
    func setMetadata(_ metadata: [String: Any]) {
        do {
            contents.setClientEntries(try PropertyList.entries(of: metadata))
            hasChangedMetadata = true
        } catch {
            raise(
                .invalidArgument, "Metadata of a store must be property list values: \(error)",
                instead: "NSPersistentStoreCoordinator.setMetadata(_:type:at:options:)")
        }
    }
}
