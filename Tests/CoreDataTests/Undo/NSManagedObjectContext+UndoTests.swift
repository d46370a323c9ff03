import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct ContextUndoTests {
    @Test func withoutAManagerNothingHappens() throws {
        let context = try UndoStack().container.newBackgroundContext()
        context.performAndWait {
            #expect(context.undoManager == nil)
            let node = context.node("a")
            context.undo()
            context.redo()
            #expect(node.isInserted && node.label == "a")
        }
    }

    @Test func plainEditsAreUndoneTogether() throws {
        let stack = try UndoStack()
        try stack.context.run { () throws in
            stack.manager.groupsByEvent = true
            let node = stack.context.node("a")
            stack.context.processPendingChanges()
            node.setValue(1, forKey: "number")
            expect(stack.manager.groupingLevel, equals: 1)
            stack.context.undo()
            #expect(node.managedObjectContext == nil && stack.context.registeredObjects.isEmpty)
            #expect(!stack.context.hasChanges && node.events == [.undoUpdate, .undoInsertion])
            stack.context.redo()
            #expect(node.isInserted && node.value(forKey: "number") as? Int == 1)
            #expect(node.managedObjectContext === stack.context && stack.context.insertedObjects == [node])
            try stack.context.save()
            try expect(stack.storedGraph(), equals: stack.context.graph())
        }
    }

    @Test func aNameIsThatOfTheChangesBeforeIt() throws {
        let stack = try UndoStack()
        try stack.context.run { () throws in
            let manager = stack.manager
            manager.groupsByEvent = true
            let node = stack.context.node("a")
            manager.setActionName("Insert")
            manager.endEvent()
            node.setValue("b", forKey: "label")
            manager.setActionName("Rename")
            manager.setActionUserInfoValue("b", forKey: UndoManager.UserInfoKey("label"))
            manager.setActionIsDiscardable(true)
            manager.endEvent()
            #expect(manager.undoCount == 2 && manager.undoActionName == "Rename")
            #expect(manager.undoActionIsDiscardable)
            expect(
                manager.undoActionUserInfoValue(forKey: UndoManager.UserInfoKey("label")) as? String,
                equals: "b")
            stack.context.undo()
            #expect(
                node.label == "a" && manager.undoActionName == "Insert" && manager.redoActionName == "Rename")
            // Outside any group, where groups are opened by hand, nothing may be registered.
            manager.groupsByEvent = false
            manager.setActionName("Add")
            expect(manager.undoActionName, equals: "Add")
        }
    }

    @Test func aBlockOfPerformIsAnEvent() async throws {
        let stack = try UndoStack()
        let (manager, context) = (stack.manager, stack.context)
        manager.groupsByEvent = true
        await context.perform { _ = context.node("a") }
        await context.perform { _ = context.node("b") }
        try context.run { () throws in
            #expect(context.undoManager?.groupingLevel == 0 && context.undoManager?.undoCount == 2)
            context.undo()
            try expect(context.graph().keys.sorted(), equals: ["a"])
        }
    }

    @Test func updatesAreUndoneAfterASave() throws {
        let stack = try UndoStack(.sqlite)
        try stack.context.run { () throws in
            var node: Node?
            stack.group { node = stack.context.node("a") }
            let first = try #require(node)
            try stack.context.save()
            stack.group { first.setValue(["x"], forKey: "tags") }
            expect(stack.context.updatedObjects, equals: [first])
            stack.context.undo()
            #expect(!first.hasChanges && !stack.context.hasChanges && first.changedValues().isEmpty)
            stack.context.redo()
            try stack.context.save()
            stack.context.refresh(first, mergeChanges: false)
            stack.context.undo()
            #expect(first.isUpdated && first.value(forKey: "tags") == nil)
            try stack.context.save()
            try expect(stack.storedGraph(), equals: stack.context.graph())
            stack.context.redo()
            try stack.context.save()
            try expect(stack.storedGraph()["a"]?.contains("tags=x"), equals: true)
        }
    }

    @Test(arguments: [StoreKind.sqlite, .inMemory] + StoreKind.onServers)
    func savedInsertionsAndDeletionsComeAndGo(
        kind: StoreKind
    ) throws {
        let stack = try UndoStack(kind)
        let context = stack.context
        try context.run { () throws in
            var nodes: [Node] = []
            stack.group { nodes = ["a", "b", "c"].map(context.node) }
            stack.group {
                nodes[0].setValue(NSOrderedSet(array: [nodes[1], nodes[2]]), forKey: "parts")
                nodes[0].setValue(NSSet(array: [nodes[1]]), forKey: "friends")
            }
            try context.save()
            let before = try context.graph()
            let id = nodes[0].objectID
            stack.group { context.delete(nodes[0]) }
            expect(context.deletedObjects.count, equals: 3)
            try context.save()
            #expect(try stack.storedGraph().isEmpty && nodes[0].managedObjectContext == nil)
            context.undo()
            #expect(nodes.allSatisfy { $0.isInserted && $0.objectID.isTemporaryID })
            #expect(nodes[0].objectID != id && nodes[0].events == [.undoDeletion])
            try expect(context.graph(), equals: before)
            try context.save()
            #expect(!nodes[0].objectID.isTemporaryID)
            try expect(stack.storedGraph(), equals: before)
            context.undo()
            context.undo()
            expect(context.deletedObjects, equals: Set(nodes))
            try context.save()
            #expect(try stack.storedGraph().isEmpty)
            for _ in 0..<3 { context.redo() }
            #expect(try context.graph().isEmpty)
        }
    }

    @Test func deletedObjectsComeBackWithTheirRelationships() throws {
        let stack = try UndoStack(.sqlite)
        let context = stack.context
        try context.run { () throws in
            let (one, other, loose) = (context.node("a"), context.node("b"), context.node("c"))
            one.setValue(NSSet(array: [loose]), forKey: "loose")
            other.setValue(one, forKey: "partner")
            one.setValue(NSSet(array: [one, other]), forKey: "peers")
            try stack.group { try context.save() }
            let before = try context.graph()
            stack.group { context.delete(one) }
            #expect(other.value(forKey: "partner") == nil && other.labels("peers").isEmpty)
            try context.save()
            context.undo()
            try expect(context.graph(), equals: before)
            #expect(one.labels("loose") == ["c"] && other.value(forKey: "partner") as? Node === one)
            try context.save()
            try expect(stack.storedGraph(), equals: before)
            let fresh = stack.container.newBackgroundContext()
            try fresh.run { () throws in
                let found = try fresh.fetch(NSFetchRequest<Node>(entityName: "Node"))
                expect(found.first { $0.label == "a" }?.labels("loose"), equals: ["c"])
            }
        }
    }

    @Test func transientAndExternalValues() throws {
        let stack = try UndoStack(.sqlite)
        let context = stack.context
        try context.run { () throws in
            var node: Node?
            let (large, larger) = (Data(repeating: 1, count: 300_000), Data(repeating: 2, count: 400_000))
            stack.group {
                node = context.node("a")
                node?.setValue(large, forKey: "blob")
                node?.setValue("s", forKey: "scratch")
            }
            let first = try #require(node)
            try context.save()
            context.refresh(first, mergeChanges: false)
            stack.group { first.setValue(larger, forKey: "blob") }
            try context.save()
            stack.group { first.setValue("t", forKey: "scratch") }
            context.undo()
            #expect(first.value(forKey: "scratch") == nil)
            context.undo()
            expect(first.value(forKey: "blob") as? Data, equals: large)
            try context.save()
            context.refresh(first, mergeChanges: false)
            expect(first.value(forKey: "blob") as? Data, equals: large)
            context.redo()
            expect(first.value(forKey: "blob") as? Data, equals: larger)
            context.redo()
            expect(first.value(forKey: "scratch") as? String, equals: "t")
        }
    }

    @Test func changesThatAreNotToBeRecorded() throws {
        let stack = try UndoStack()
        let context = stack.context
        context.performAndWait {
            stack.manager.groupsByEvent = true
            let node = context.node("a")
            context.processPendingChanges()
            stack.manager.endEvent()
            stack.manager.disableUndoRegistration()
            node.setValue(1, forKey: "number")
            context.processPendingChanges()
            stack.manager.enableUndoRegistration()
            stack.manager.endEvent()
            node.setValue("c", forKey: "label")
            node.setValue(node.value(forKey: "height"), forKey: "height")
            context.undo()
            #expect(node.label == "a" && node.value(forKey: "number") as? Int == 1)
        }
    }

    @Test func rollbackAndResetForget() throws {
        let stack = try UndoStack()
        let context = stack.context
        try context.run { () throws in
            let other = NSObject()
            stack.group { _ = context.node("a") }
            try context.save()
            stack.group { context.node("b").setValue(2, forKey: "number") }
            context.undo()
            #expect(stack.manager.canRedo)
            context.rollback()
            #expect(!stack.manager.canRedo && !stack.manager.canUndo)
            context.redo()
            context.undo()
            try expect(context.graph().keys.sorted(), equals: ["a"])
            stack.group { stack.manager.registerUndo(withTarget: other) { _ in } }
            stack.group { _ = context.node("c") }
            context.reset()
            expect(stack.manager.undoCount, equals: 1)
        }
    }

    @Test func aReplacedManagerForgetsTheContext() throws {
        let stack = try UndoStack()
        try stack.context.run { () throws in
            let context = stack.context
            let title = NSMutableString(string: "new")
            stack.group {
                _ = context.node("a")
                context.processPendingChanges()
                stack.manager.registerUndo(withTarget: title) { $0.setString("old") }
            }
            context.undoManager = UndoManager()
            stack.manager.undo()
            #expect(title == "old" && context.insertedObjects.count == 1)
            expect(stack.manager.canUndo, equals: false)
        }
    }

    @Test func aManagerIsShared() throws {
        let stack = try UndoStack()
        let other = stack.container.newBackgroundContext()
        other.undoManager = stack.manager
        let title = NSMutableString(string: "new")
        let mine = stack.context.performAndWait { stack.context.node("mine") }
        let theirs = other.performAndWait { other.node("theirs") }
        stack.group {
            stack.context.performAndWait { stack.context.processPendingChanges() }
            other.performAndWait { other.processPendingChanges() }
        }
        stack.group {
            stack.context.performAndWait { mine.setValue(1, forKey: "number") }
            stack.manager.registerUndo(withTarget: title) { $0.setString("old") }
            other.performAndWait { theirs.setValue(2, forKey: "number") }
        }
        stack.manager.undo()
        expect(title, equals: "old")
        stack.context.performAndWait { #expect(mine.value(forKey: "number") == nil && mine.isInserted) }
        other.performAndWait { #expect(theirs.value(forKey: "number") == nil && theirs.isInserted) }
        // From the block of one context the other's changes are undone on its own queue.
        stack.context.performAndWait { stack.context.undo() }
        other.performAndWait { #expect(theirs.managedObjectContext == nil) }
        stack.manager.redo()
        stack.context.performAndWait { #expect(mine.isInserted) }
        #expect(stack.manager.undoActionName.isEmpty)
    }

    @Test func undoneDeletionsAreAnnounced() throws {
        let stack = try UndoStack()
        let context = stack.context
        try context.run { () throws in
            var node: Node?
            stack.group { node = context.node("a") }
            try context.save()
            let first = try #require(node)
            stack.group { context.delete(first) }
            nonisolated(unsafe) var inserted: Set<NSManagedObject> = []
            let observer = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
            ) { inserted = $0.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject> ?? [] }
            defer { NotificationCenter.default.removeObserver(observer) }
            context.undo()
            #expect(inserted == [first] && !first.isDeleted && !context.hasChanges)
            context.redo()
            #expect(inserted.isEmpty && first.isDeleted)
        }
    }
}
