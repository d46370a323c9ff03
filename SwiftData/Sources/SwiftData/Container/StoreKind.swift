// The kinds of stores that a configuration may describe.

import CoreData
import Foundation

/// The kind of a store, with options that only its kind knows.
enum StoreKind: Hashable, Sendable {
    case sqlite
    /// A kind of store that another module describes.
    case described(StoreTemplate)
}

extension ModelConfiguration {
    /// The bytes that the name of a file may have.
    private static var fileNameLimit: Int { 255 }

    /// Checks that the name can be that of a file.
    ///
    /// - Throws: `SwiftDataError.configurationFileNameContainsInvalidCharacters`, `configurationFileNameTooLong`.
    public func validate() throws {
        if name.contains("/") || name.contains("\0") {
            throw SwiftDataError.configurationFileNameContainsInvalidCharacters.because(name)
        }
        if name.utf8.count > Self.fileNameLimit || url.lastPathComponent.utf8.count > Self.fileNameLimit {
            throw SwiftDataError.configurationFileNameTooLong.because(name)
        }
    }

    /// The folder of stores whose configuration names none: that of `NSPersistentContainer`.
    static var defaultFolder: URL { NSPersistentContainer.defaultDirectoryURL() }

    /// The option by which a configuration finds its store: those in memory are all at the same place.
    private static var idOption: String { "ModelConfiguration.ID" }

    /// Returns the configuration's store.
    func store(in coordinator: NSPersistentStoreCoordinator) -> NSPersistentStore? {
        coordinator.persistentStores.first { $0.options?[Self.idOption] as? String == id }
    }

    /// The description by which the coordinator opens the store.
    func storeDescription(configuration: String?) -> NSPersistentStoreDescription {
        let description = NSPersistentStoreDescription(url: url)
        switch storeKind {
        // At /dev/null it is in memory.
        case .sqlite: description.tracksHistory()
        case .described(let template): template.apply(to: description)
        }
        description.configuration = configuration
        description.setOption(id as NSString, forKey: Self.idOption)
        description.isReadOnly = !allowsSave
        description.shouldAddStoreAsynchronously = false
        description.shouldMigrateStoreAutomatically = true
        description.shouldInferMappingModelAutomatically = true
        return description
    }
}
