// Facts about undo that are easy to get wrong. Each name states one. More are in the tests of Undo.

import CoreData
import CoreDataTestSupport
import Testing

@Suite struct UndoPitfalls {
    /// An empty store and a context that has an undo manager or none.
    private func with(
        _ manager: CoreData.UndoManager?, _ body: (NSManagedObjectContext) throws -> Void
    ) throws {
        let scene = try StoreScene(.inMemory)
        try scene.mine.run { () throws in
            scene.mine.undoManager = manager
            try body(scene.mine)
        }
    }

    @Test func withoutAManagerUndoDoesNothingAndRollbackWorks() throws {
        try with(nil) { context in
            let note = context.make("Note", ["text": "a"])
            try context.save()
            note.setValue("b", forKey: "text")
            context.undo()
            context.redo()
            #expect(note.text("text") == "b" && context.hasChanges)
            context.rollback()
            #expect(note.text("text") == "a" && !context.hasChanges)
        }
    }

    @Test func rollbackClearsTheStackAndRedoAfterItDoesNothing() throws {
        let manager = CoreData.UndoManager()
        try with(manager) { context in
            let note = context.make("Note", ["text": "a"])
            try context.save()
            note.setValue("b", forKey: "text")
            context.undo()
            #expect(note.text("text") == "a" && manager.canRedo)
            context.rollback()
            #expect(!manager.canUndo && !manager.canRedo)
            context.redo()
            #expect(note.text("text") == "a" && !context.hasChanges)
        }
    }

    @Test func whatIsNotProcessedWhileRegistrationIsOffIsRegistered() throws {
        let manager = CoreData.UndoManager()
        try with(manager) { context in
            let note = context.make("Note", ["text": "a"])
            try context.save()
            manager.removeAllActions()
            manager.disableUndoRegistration()
            note.setValue("b", forKey: "text")
            manager.enableUndoRegistration()
            context.processPendingChanges()
            #expect(manager.canUndo, "the change was processed when registration was on again")
            manager.removeAllActions()
            manager.disableUndoRegistration()
            note.setValue("c", forKey: "text")
            context.processPendingChanges()
            manager.enableUndoRegistration()
            #expect(!manager.canUndo)
            context.undo()
            expect(note.text("text"), equals: "c")
        }
    }
}
