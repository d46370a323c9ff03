// A migration from beginning to end: the new store is written beside its place and moved there.

import CoreDataStores
import CoreDataSupport
import Foundation

extension NSMigrationManager {
    final func migrate(
        _ origin: MigrationPlace, to place: MigrationPlace, by mapping: NSMappingModel?,
        keepsIdentity: Bool = false
    ) throws {
        let mapping = try checked(mapping, from: origin, to: place)
        defer {
            status.finish()
            setMapping(NSEntityMapping())
        }
        try status.checkCancellation()
        setProgress(0)
        guard place.isFile else {
            return try writeElsewhere(origin, to: place, mapping: mapping, keepsIdentity: keepsIdentity)
        }
        let replaces = place.isSame(as: origin)
        let draft = try writing(place) { try StoreDraft(of: place.files(), replacing: replaces) }
        do {
            var written = place.adding([StoreOption.isDraft: true])
            written.url = draft.url
            try write(origin, to: written, mapping: mapping, keepsIdentity: keepsIdentity || replaces)
            try writing(place) {
                try draft.publish(replacing: .anyType, kind: StoreRegistry.kind(ofFileAt:))
            }
        } catch {
            draft.discard()
            throw error
        }
    }

    /// Writes a store that is no file: beside its place, if stores of the kind can take another one's.
    private final func writeElsewhere(
        _ origin: MigrationPlace, to place: MigrationPlace, mapping: NSMappingModel, keepsIdentity: Bool
    ) throws {
        let storeClass = try StoreRegistry.storeClass(place.type)
        let replaces = place.isSame(as: origin)
        let found = try writing(place) {
            try storeClass.replacement(at: place.url, options: place.options, isReplaced: replaces)
        }
        guard let draft = found else {
            return try write(origin, to: place, mapping: mapping, keepsIdentity: keepsIdentity)
        }
        do {
            var (former, written) = (origin, place)
            written.url = draft.url
            if replaces {
                let options: [AnyHashable: Any] = draft.optionsOfFormer
                former.options = (origin.options ?? [:]).merging(options) { $1 }
            }
            try write(former, to: written, mapping: mapping, keepsIdentity: keepsIdentity || replaces)
            try writing(place) { try draft.publish() }
        } catch {
            draft.discard()
            throw error
        }
    }

    /// The mapping model of a migration that can begin.
    private final func checked(
        _ mapping: NSMappingModel?, from origin: MigrationPlace, to place: MigrationPlace
    ) throws -> NSMappingModel {
        guard let mapping else {
            throw CoreDataError.make(
                NSMigrationMissingMappingModelError,
                description: "The migration failed: there is no mapping model.",
                file: origin.url)
        }
        if run != nil {
            throw CoreDataError.make(
                NSMigrationError,
                description: "The migration failed: a migration manager can't migrate two stores at once.",
                file: origin.url)
        }
        if origin.type == NSInMemoryStoreType || place.type == NSInMemoryStoreType {
            throw CoreDataError.make(
                NSMigrationError,
                description: "The migration failed: a store in memory goes with its coordinator.",
                file: origin.type == NSInMemoryStoreType ? origin.url : place.url)
        }
        guard !origin.url.isFileURL || FileManager.default.fileExists(atPath: origin.url.path) else {
            throw CoreDataError.make(
                NSMigrationManagerSourceStoreError,
                description: "The migration failed: there is no store to migrate.",
                file: origin.url)
        }
        return mapping
    }

    /// Says of what goes wrong with the new store's file that it is that of a migration.
    private final func writing<Result>(_ place: MigrationPlace, body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            throw MappingFailure.store(
                NSMigrationManagerDestinationStoreError,
                sentence: "The migration failed: the new store can't be put in its place.", file: place.url,
                error: error)
        }
    }

    private final func write(
        _ origin: MigrationPlace, to place: MigrationPlace, mapping: NSMappingModel, keepsIdentity: Bool
    ) throws {
        let run = try MigrationRun(self, model: mapping, from: origin, to: place)
        self.run = run
        defer {
            run.close()
            self.run = nil
        }
        try run.takeMetadata(keepsIdentity: keepsIdentity)
        try run.migrate()
    }
}
