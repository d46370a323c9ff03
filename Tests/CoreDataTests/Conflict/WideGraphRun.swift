// Random edits of contexts that merge each other's saves, beside batches, refreshes that drop changes, resets, and values that must
// be unique.

@testable import CoreData
import CoreDataTestSupport
import Foundation

/// A run of contexts that merge what others saved and what batches did.
final class WideGraphRun: MergingGraphRun {
    private let isUnique: Bool

    init(seed: UInt64, skipping skipped: Set<Int> = []) throws {
        isUnique = seed % 3 == 1
        try super.init(seed: seed, skipping: skipped, unique: isUnique)
    }

    override func edit(_ editor: GraphEditor) throws {
        switch pick(20) {
        case 0: try updateBatch(editor)
        case 1 where pick(2) == 0: try deleteBatch(editor)
        case 2 where pick(2) == 0: try insertBatch(editor)
        case 3: dropChanges(editor)
        case 4 where pick(4) == 0:
            note("\(editor.name) resets")
            editor.context.reset()
            editor.held = []
            try look(editor)
        case 5, 6: nameTag(editor)
        default: try super.edit(editor)
        }
    }

    /// Gives a tag a name that others may have.
    private func nameTag(_ editor: GraphEditor) {
        let tags = editor.present.filter { $0.entity.name == "Tag" }
        guard isUnique, let tag = pick(of: tags) else { return }
        let name = "u\(pick(4))"
        note("\(editor.name) names \(label(tag)) \(name)")
        tag.setValue(name, forKey: "name")
    }

    /// A batch deletion changes no version of what it takes objects out of, so that a save doesn't find that out.
    override func check(_ editor: GraphEditor, _ changed: [NSManagedObject]) throws {
        try super.check(editor, awaitsDeletions(editor) ? [] : changed)
    }

    private func dropChanges(_ editor: GraphEditor) {
        guard let object = pick(of: editor.present.filter { !$0.isInserted && $0.hasChanges }) else { return }
        note("\(editor.name) refreshes \(label(object)) without its changes")
        editor.context.refresh(object, mergeChanges: false)
    }

    // MARK: Batches

    private func execute(_ request: NSPersistentStoreRequest, key: String, _ editor: GraphEditor) throws {
        let result = try editor.context.execute(request)
        let ids =
            (result as? NSBatchUpdateResult)?.result ?? (result as? NSBatchDeleteResult)?.result
            ?? (result as? NSBatchInsertResult)?.result
        guard let ids = ids as? [NSManagedObjectID] else { return fault("a batch without IDs") }
        note(
            "    \(ids.map { "\($0.entity.name ?? "")/\($0.uriRepresentation().lastPathComponent)" }.sorted())"
        )
        let name = Notification.Name.NSManagedObjectContextDidSaveObjectIDs
        deliver([Notification(name: name, object: nil, userInfo: [key: ids])])
    }

    private func updateBatch(_ editor: GraphEditor) throws {
        made += 1
        let (entity, rest) = (pick(of: ["Knot", "Bag", "Pin"]) ?? "Knot", pick(3))
        note("\(editor.name) updates a batch of \(entity)")
        let request = NSBatchUpdateRequest(entityName: entity)
        request.predicate = NSPredicate(format: "modulus:by:(number, 3) == %d", rest)
        request.propertiesToUpdate = ["name": "n\(made)"]
        request.resultType = .updatedObjectIDsResultType
        try execute(request, key: NSUpdatedObjectIDsKey, editor)
    }

    private func deleteBatch(_ editor: GraphEditor) throws {
        guard let object = pick(of: editor.present.filter { !$0.isInserted }) else { return }
        note("\(editor.name) deletes a batch: \(label(object))")
        let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: object.entity.name ?? "")
        fetch.predicate = NSPredicate(format: "SELF == %@", object.objectID)
        let request = NSBatchDeleteRequest(fetchRequest: fetch)
        request.resultType = .resultTypeObjectIDs
        do {
            try execute(request, key: NSDeletedObjectIDsKey, editor)
        } catch let error as NSError where error.code == 1600 || error.code == 1560 {
            note("    which is denied")
        }
    }

    private func insertBatch(_ editor: GraphEditor) throws {
        made += 1
        let entity = pick(of: RivalGraphModel.entities) ?? "Knot"
        note("\(editor.name) inserts a batch of \(entity) n\(made)")
        let request = NSBatchInsertRequest(
            entityName: entity, objects: [["name": "n\(made)", "number": made]])
        request.resultType = .objectIDs
        try execute(request, key: NSInsertedObjectIDsKey, editor)
    }
}
