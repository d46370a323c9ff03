// The work of a context for its undo manager: one action for each event that changed something.

import CoreDataSupport
import Foundation

/// Ties a context to its undo manager.
final class UndoRecorder {
    let manager: UndoManager
    private let observation: any NSObjectProtocol
    /// The number of times that the context took newer rows: events of before may contradict them.
    private var rowGeneration = 0
    private var events = UndoEvents()
    /// The event whose later effects are recorded.
    private var amended: UndoEvent?

    init(_ manager: UndoManager, for context: NSManagedObjectContext) {
        self.manager = manager
        observation = NotificationCenter.default.addObserver(
            forName: .NSUndoManagerCheckpoint, object: manager, queue: nil
        ) { [weak context] _ in
            // Another queue's context is in an event of its own.
            if let context, context.mayBeUsedHere { context.processPendingChanges() }
        }
    }

    deinit {
        NotificationCenter.default.removeObserver(observation)
    }

    /// Registers what takes the event back in which these objects changed.
    func record(_ objects: [NSManagedObject], of context: NSManagedObjectContext) {
        guard manager.isUndoRegistrationEnabled || amended != nil else { return }
        let records = objects.compactMap(Self.record)
        if records.isEmpty { return }
        if let amended { return amended.append(records) }
        let event = UndoEvent(records, rowGeneration: rowGeneration)
        events.append(event)
        manager.registerUndo(withTarget: context) { context in
            context.onOwnQueue { context.undo(event) }
        }
    }

    // MARK: Events and newer rows

    func noteNewerRows() { rowGeneration += 1 }

    /// Indicates whether the context has taken newer rows since an event.
    func hasNewerRows(than event: UndoEvent) -> Bool { event.rowGeneration < rowGeneration }

    /// Calls the closure with objects to be deleted, those of one event at a time, with which its effects are taken back.
    func amendEvents(
        deleting objects: [NSManagedObject], of context: NSManagedObjectContext,
        body: ([NSManagedObject]) -> Void
    ) {
        for (event, deleted) in events.sorted(objects) where !deleted.isEmpty {
            context.processChanges()
            amended = event
            defer { amended = nil }
            body(deleted)
            context.processChanges()
        }
    }

    private static func record(_ object: NSManagedObject) -> UndoRecord? {
        if object.state.isDeletedForGood { return nil }
        switch (object.existedBeforeEvent, !object.state.isDeleted) {
        case (false, false):
            // A deletion that is denied, or that a merge made reach more, leaves relationships to be changed.
            return object.state.isNew || object.isFault ? nil : UndoRecord(object, kind: .changed)
        case (false, true): return UndoRecord(object, kind: .appeared)
        case (true, true): return object.isFault ? nil : UndoRecord(object, kind: .changed)
        case (true, false):
            object.prepareToRead()
            return object.state.isInaccessible ? nil : UndoRecord(object, kind: .vanished)
        }
    }

    func forget(_ context: NSManagedObjectContext) {
        manager.removeAllActions(withTarget: context)
    }
}

extension NSManagedObject {
    /// Indicates whether the object was there, and not deleted, when the current event began.
    fileprivate final var existedBeforeEvent: Bool {
        state.isNew ? state.marks.contains(.insertionAnnounced) : !state.marks.contains(.deletionAnnounced)
    }
}

extension NSManagedObjectContext {
    /// Changes the undo manager. The old one forgets this context's actions: what they would take back is hidden by changes
    /// that it doesn't hear of.
    final func record(with manager: UndoManager?) {
        if manager === undoRecorder?.manager { return }
        processChanges()
        undoRecorder?.forget(self)
        undoRecorder = manager.map { UndoRecorder($0, for: self) }
    }

    final func undoLast() {
        guard let manager = undoManager else { return }
        processPendingChanges()
        manager.undo()
    }

    final func redoLast() {
        guard let manager = undoManager else { return }
        processPendingChanges()
        manager.redo()
    }

    /// The end of a block of `perform`, which is an event.
    final func endEvent() {
        processPendingChanges()
        undoRecorder?.manager.endEvent()
    }

    /// Indicates whether the caller is on the context's queue, or at least in no other context's block.
    fileprivate final var mayBeUsedHere: Bool {
        confinement.isCurrent || NSManagedObjectContext.current == nil
    }

    fileprivate final func onOwnQueue(_ body: () -> Void) {
        if mayBeUsedHere { body() } else { performAndWait { body() } }
    }
}
