// Random edits and saves of contexts that merge each other's saves, sooner or later.

@testable import CoreData
import CoreDataTestSupport
import Foundation

/// A run in which each context has an inbox of what the others saved.
class MergingGraphRun: RivalGraphRun {
    private var inboxes: [String: [Notification]] = [:]
    /// Indicates whether the context that saves has merged all that others saved.
    private var isCurrent = false

    init(seed: UInt64, skipping skipped: Set<Int> = [], unique: Bool = false) throws {
        try super.init(seed: seed, skipping: skipped, besides: true, unique: unique)
        for editor in editors {
            if seed % 4 == 0 { editor.context.undoManager = UndoManager() }
        }
    }

    private func isCurrent(_ editor: GraphEditor) -> Bool { inboxes[editor.name, default: []].isEmpty }

    /// Indicates whether an editor has yet to merge rows that were deleted without a save: what was related to them may be stale.
    func awaitsDeletions(_ editor: GraphEditor) -> Bool {
        inboxes[editor.name, default: []].contains {
            $0.object == nil && $0.userInfo?[NSDeletedObjectIDsKey] != nil
        }
    }

    /// Leaves what was saved in the inboxes of all but one.
    func deliver(_ notifications: [Notification], besides editor: GraphEditor? = nil) {
        for other in editors where other !== editor { inboxes[other.name, default: []] += notifications }
    }

    override func edit(_ editor: GraphEditor) throws {
        switch pick(16) {
        case 0: try merge(editor, count: pick(2) + 1)
        case 1: try merge(editor)
        case 2: try refresh(editor)
        case 3: try undo(editor)
        case 4 where pick(3) == 0:
            note("\(editor.name) rolls back")
            editor.context.rollback()
            try checkRolledBack(editor)
        default: try super.edit(editor)
        }
    }

    // MARK: Merging

    /// Merges what others saved first, or all that they saved.
    private func merge(_ editor: GraphEditor, count: Int = .max) throws {
        let own = OwnChanges(editor.context, model)
        let inbox = inboxes[editor.name, default: []]
        if inbox.isEmpty { return }
        note("\(editor.name) merges \(min(count, inbox.count)) of \(inbox.count)")
        for notification in inbox.prefix(count) {
            if pick(3) == 0 {
                NSManagedObjectContext.mergeChanges(
                    fromRemoteContextSave: notification.userInfo ?? [:], into: [editor.context])
            } else {
                editor.context.mergeChanges(fromContextDidSave: notification)
            }
        }
        inboxes[editor.name] = Array(inbox.dropFirst(count))
        try check(editor, own, "after merging")
    }

    /// Looks at a context that has merged everything.
    private func check(_ editor: GraphEditor, _ own: OwnChanges, _ moment: String) throws {
        guard isCurrent(editor) else { return }
        let (stored, shown) = try (fresh().graphState(), editor.context.graphState())
        for problem in own.problems(shown: shown, stored: stored, in: editor.context) {
            fault("\(editor.name) \(moment): \(problem)")
        }
    }

    private func fresh() -> NSManagedObjectContext {
        let fresh = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        fresh.persistentStoreCoordinator = coordinators.last
        return fresh
    }

    // MARK: Other steps

    private func refresh(_ editor: GraphEditor) throws {
        let own = OwnChanges(editor.context, model)
        guard pick(2) == 0, let object = pick(of: editor.present) else {
            note("\(editor.name) refreshes all")
            editor.context.refreshAllObjects()
            return try check(editor, own, "after refreshing all")
        }
        note("\(editor.name) refreshes \(label(object))")
        editor.context.refresh(object, mergeChanges: true)
        try check(editor, own, "after a refresh")
    }

    private func undo(_ editor: GraphEditor) throws {
        guard let manager = editor.context.undoManager else { return }
        editor.context.processPendingChanges()
        if pick(3) == 0, manager.canRedo {
            note("\(editor.name) redoes")
            manager.redo()
        } else if manager.canUndo {
            note("\(editor.name) undoes")
            manager.undo()
        }
        editor.hold(Array(editor.context.insertedObjects))
        try check(editor, OwnChanges(editor.context, model), "after undo")
    }

    private func checkRolledBack(_ editor: GraphEditor) throws {
        guard isCurrent(editor) else { return }
        for difference in differences(try editor.context.graphState(), try fresh().graphState()) {
            fault("\(editor.name) after a rollback | stored: \(difference)")
        }
    }

    // MARK: Saving

    override func save(_ editor: GraphEditor) throws {
        if pick(2) == 0 { try merge(editor) }
        isCurrent = isCurrent(editor)
        // An object that is inserted anew by undo has another ID by the time of the merge.
        let form: Notification.Name =
            pick(2) == 0 && seed % 4 > 0
            ? .NSManagedObjectContextDidSave : .NSManagedObjectContextDidSaveObjectIDs
        nonisolated(unsafe) var posted: [Notification] = []
        let observer = NotificationCenter.default.addObserver(
            forName: form, object: editor.context, queue: nil
        ) { posted.append($0) }
        defer { NotificationCenter.default.removeObserver(observer) }
        try super.save(editor)
        deliver(posted, besides: editor)
    }

    override func failed(_ editor: GraphEditor, _ error: NSError) {
        if isCurrent, error.code == 133020 {
            fault("\(editor.name) has a conflict with what it merged")
        }
    }

    override func check(_ editor: GraphEditor, _ changed: [NSManagedObject]) throws {
        if isCurrent {
            let (shown, stored) = try (editor.context.graphState(), fresh().graphState())
            for difference in differences(shown, stored) {
                fault("\(editor.name) after its save | stored: \(difference)")
            }
        }
        try super.check(editor, changed)
    }
}
