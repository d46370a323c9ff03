// The files that killed processes left beside a store.

import CoreDataStores
import CoreDataSupport
public import Foundation

extension NSPersistentStoreCoordinator {
    /// Returns the files that killed processes left beside a store: drafts, temporary copies, and files of
    /// external values that no row names.
    ///
    /// Files that a living process may be at work on are not among them. An addition to Apple's class.
    ///
    /// - Throws: the errors of opening the store, if it has files of external values.
    public class func abandonedFiles(ofPersistentStoreAt url: URL) throws -> [URL] {
        try abandonedFiles(url, removing: false)
    }

    /// Removes the files that killed processes left beside a store. An addition to Apple's class.
    ///
    /// - Returns: where the files were.
    /// - Throws: 134090 if the store has files of external values and somebody has it open, after 10 seconds; the errors of
    ///   opening the store.
    @discardableResult
    public class func removeAbandonedFiles(ofPersistentStoreAt url: URL) throws -> [URL] {
        try abandonedFiles(url, removing: true)
    }

    private class func abandonedFiles(_ url: URL, removing: Bool) throws -> [URL] {
        do {
            let location = StoreLocation(url: url)
            return try StoreLeftovers.all(
                of: StoreRegistry.kindsOfFiles.map { $0.init(at: location) }, at: location.url,
                removing: removing)
        } catch {
            throw ErrorMapping.error(error, occasion: .opening, file: url)
        }
    }
}
