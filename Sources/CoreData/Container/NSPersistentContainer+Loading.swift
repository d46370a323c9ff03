// Loading a container's stores.

import CoreDataStores
import Foundation

extension NSPersistentContainer {
    final func load(_ block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void) {
        for description in persistentStoreDescriptions {
            if let failure = modelFailure ?? makeFolder(for: description) {
                block(description, failure)
                continue
            }
            persistentStoreCoordinator.addPersistentStore(with: description, completionHandler: block)
        }
    }

    /// Makes the default folder, if the store is to lie there.
    private func makeFolder(for description: NSPersistentStoreDescription) -> NSError? {
        let folder = type(of: self).defaultDirectoryURL()
        guard let url = description.url, url.isFileURL, !description.isReadOnly,
            url.deletingLastPathComponent().standardizedFileURL.path == folder.standardizedFileURL.path
        else { return nil }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            return nil
        } catch {
            return CoreDataError.make(
                NSFileWriteUnknownError, description: "The folder for the persistent store can't be made.",
                file: folder,
                reason: "\(error)", underlying: error)
        }
    }
}
