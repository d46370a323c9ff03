// Inserting, deleting, saving.

@_spi(SwiftData) import CoreData
import Foundation

extension ModelContext {
    /// Adds a model, and those that it is related to, to be saved.
    ///
    /// A model of another context, even of one that ended, can't be inserted: the process ends. `model(for:)` returns this context's
    /// model of the same identifier.
    public func insert<T: PersistentModel>(_ model: T) {
        let references = model._$references
        let object = references.object.takeUnretainedValue()
        if object.model == nil { object.lead(to: model) }
        let own = Unmanaged.passUnretained(managed).toOpaque()
        if let context = object.contextReference {
            if context.toOpaque() != own {
                brokenContract("a \(T.self) that belongs to another context can't be inserted into this one")
            }
            managed.insert(object)
        } else if let former = references.keeper, former != UnsafeRawPointer(own) {
            insertAnew(model, object)
        } else {
            object.enter(managed)
            if object.contextReference == nil { insertAnew(model, object) }
        }
        if !model._$references.object._withUnsafeGuaranteedRef({ $0.isHeld }) { hold(model) }
    }

    /// Inserts a model that was deleted, by a save or in another context, as a new one with its values. Its relationships went with
    /// the row.
    private func insertAnew(_ model: some PersistentModel, _ old: _ModelObject) {
        let fresh = old.binding.makeObject()
        for name in old.entity.attributesByName.keys {
            fresh.setValue(old.value(forKey: name), forKey: name)
        }
        old.model = nil
        fresh.model = model
        model._$takeObject(fresh)
        fresh.enter(managed)
    }

    /// Has the next save delete a model. One that was never saved is just forgotten: it has no context after the save.
    ///
    /// One of no context is left alone, as there is nothing to delete; for one of another context the process ends.
    public func delete<T: PersistentModel>(_ model: T) {
        let object = model._$modelStorage.object(of: model)
        takeOverSaves()
        guard let context = object.managedObjectContext else { return }
        if context !== managed {
            brokenContract("a \(T.self) that belongs to another context can't be deleted by this one")
        }
        if !object.isHeld { hold(model) }
        managed.delete(object)
    }

    /// Indicates whether a save would save anything.
    public var hasChanges: Bool { managed.hasChanges }

    /// Writes all changes to the stores.
    ///
    /// - Throws: the error of a store or of validation, with Core Data's domain and code; the changes stay.
    public func save() throws {
        takeOverSaves()
        if !managed.hasChanges {
            // New models that were deleted again are no change, and leave the context.
            managed.processPendingChanges()
            guard managed.hasChanges else { return releaseHeld() }
        }
        post(Self.willSave)
        managed.processPendingChanges()
        assignStores()
        var saved = SavedObjects(managed)
        try managed.saveShown()
        saved.replace(managed.replaced)
        noteIdentifiers(of: saved)
        releaseHeld()
        adoptReplaced()
        post(Self.didSave, saved.info.merging([.historyTokens: historyTokens]) { $1 })
    }

    /// Drops all changes since the last save.
    public func rollback() {
        takeOverSaves()
        managed.rollback()
        managed.replaced = []
        releaseHeld()
        letGoOfDeleted()
    }

    /// Applies delete rules, takes over what other contexts of the container saved, and tells observers of
    /// what changed.
    public func processPendingChanges() {
        takeOverSaves()
        managed.processPendingChanges()
    }

    /// Models that the next save inserts.
    public var insertedModelsArray: [any PersistentModel] { models(managed.insertedObjects) }
    /// Models whose changes the next save writes.
    public var changedModelsArray: [any PersistentModel] { models(managed.updatedObjects) }
    /// Models that the next save deletes.
    public var deletedModelsArray: [any PersistentModel] { models(managed.deletedObjects) }

    /// Has temporary identifiers that clients may have lead to the models that were saved.
    private func noteIdentifiers(of saved: SavedObjects) {
        for case let object as _ModelObject in saved.inserted {
            guard let temporary = object.temporaryID else { continue }
            object.temporaryID = nil
            savedIDs.note(object.objectID, for: temporary)
        }
    }

    private func models(_ objects: Set<NSManagedObject>) -> [any PersistentModel] {
        objects.compactMap { ($0 as? _ModelObject)?.bound.anyModel }
    }
}
