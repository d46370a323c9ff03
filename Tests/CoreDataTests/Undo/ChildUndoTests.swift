import CoreData
import CoreDataTestSupport
import Foundation
import Testing

/// Undo in contexts on contexts.
@Suite struct ChildUndoTests {
    private static let kinds: [StoreKind] = [.sqlite, .inMemory] + StoreKind.onServers

    private func child(
        of stack: UndoStack, manager: UndoManager? = UndoManager()
    ) -> (NSManagedObjectContext, UndoManager?) {
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = stack.context
        manager?.groupsByEvent = false
        child.undoManager = manager
        return (child, manager)
    }

    private func group(_ manager: UndoManager?, _ body: () throws -> Void) rethrows {
        manager?.beginUndoGrouping()
        try body()
        manager?.endUndoGrouping()
    }

    private func graph(_ context: NSManagedObjectContext) throws -> [String: String] {
        try context.run { try context.graph() }
    }

    /// Saves the child, then its parent.
    private func saveAll(_ child: NSManagedObjectContext, _ stack: UndoStack) throws {
        try child.save()
        try stack.context.run { try stack.context.save() }
        try expect(graph(stack.context), equals: graph(child))
        try expect(stack.storedGraph(), equals: graph(child))
    }

    /// Insertion, change and deletion in a child, undone and redone with saves of one level or both in between.
    @Test(arguments: kinds, [0, 1, 2]) func eachEventComesAndGoes(_ kind: StoreKind, _ levels: Int) throws {
        let stack = try UndoStack(kind)
        stack.context.undoManager = nil
        let (child, manager) = child(of: stack)
        try child.run { () throws in
            func save() throws {
                if levels == 1 { try child.save() }
                if levels == 2 { try saveAll(child, stack) }
            }
            var graphs: [[String: String]] = [[:]]
            func step(_ body: () throws -> Void) throws {
                try group(manager, body)
                graphs.append(try child.graph())
                try save()
            }
            var nodes: [Node] = []
            try step { nodes = ["a", "b", "c", "d"].map(child.node) }
            try step {
                nodes[0].setValue(NSOrderedSet(array: [nodes[1], nodes[2]]), forKey: "parts")
                nodes[0].setValue(NSSet(array: [nodes[1], nodes[3]]), forKey: "friends")
                nodes[3].setValue(nodes[0], forKey: "group")
            }
            try step { nodes[3].setValue(4, forKey: "number") }
            try step { child.delete(nodes[0]) }
            expect(graphs[4].count, equals: 1)
            for _ in 0..<2 {
                for index in (0..<4).reversed() {
                    child.undo()
                    #expect(difference(try child.graph(), graphs[index]).isEmpty, "undo to \(index)")
                    try save()
                }
                for index in 1...4 {
                    child.redo()
                    #expect(difference(try child.graph(), graphs[index]).isEmpty, "redo to \(index)")
                    try save()
                }
            }
            try saveAll(child, stack)
        }
    }

    @Test(arguments: kinds) func oneUndoOfAParentTakesOneSaveBack(_ kind: StoreKind) throws {
        let stack = try UndoStack(kind)
        stack.manager.groupsByEvent = true
        let (child, _) = child(of: stack, manager: nil)
        var graphs: [[String: String]] = [[:]]
        try child.run { () throws in
            func save() throws {
                try child.save()
                graphs.append(try child.graph())
            }
            let nodes = ["a", "b", "c"].map(child.node)
            nodes[0].setValue(NSOrderedSet(array: [nodes[1], nodes[2]]), forKey: "parts")
            try save()
            nodes[1].setValue(3, forKey: "number")
            nodes[2].setValue(NSSet(array: [nodes[1]]), forKey: "peers")
            try save()
            child.delete(nodes[0])
            try save()
        }
        let parent = stack.context
        try parent.run { () throws in
            expect(stack.manager.undoCount, equals: 3)
            for index in (0..<3).reversed() {
                parent.undo()
                #expect(difference(try parent.graph(), graphs[index]).isEmpty, "undo to \(index)")
            }
            for index in 1...2 {
                parent.redo()
                #expect(difference(try parent.graph(), graphs[index]).isEmpty, "redo to \(index)")
            }
            try parent.save()
            try expect(stack.storedGraph(), equals: graphs[2])
        }
        child.performAndWait { child.reset() }
        try expect(graph(child), equals: graphs[2])
    }

    @Test func theParentsOwnChangesAreAnotherAction() throws {
        let stack = try UndoStack()
        stack.manager.groupsByEvent = true
        let (child, _) = child(of: stack, manager: nil)
        let parent = stack.context
        let own = parent.performAndWait { parent.node("own") }
        try child.run { () throws in
            _ = child.node("child's")
            try child.save()
        }
        try parent.run { () throws in
            parent.undo()
            #expect(try parent.graph().keys.sorted() == ["own"] && own.isInserted)
            parent.undo()
            #expect(try parent.graph().isEmpty)
        }
    }

    @Test func withinABlockOfTheParentsASaveIsPartOfItsEvent() async throws {
        let stack = try UndoStack()
        stack.manager.groupsByEvent = true
        let (child, _) = child(of: stack, manager: nil)
        let parent = stack.context
        try await parent.perform {
            _ = parent.node("own")
            try child.run { () throws in
                _ = child.node("child's")
                try child.save()
            }
        }
        try parent.run { () throws in
            expect(stack.manager.undoCount, equals: 1)
            parent.undo()
            #expect(try parent.graph().isEmpty)
        }
    }

    @Test func aRestoredObjectIsNewBelow() throws {
        let stack = try UndoStack(.sqlite)
        stack.context.undoManager = nil
        let (child, manager) = child(of: stack)
        try child.run { () throws in
            child.undoManager?.disableUndoRegistration()
            let node = child.node("a")
            try child.save()
            child.undoManager?.enableUndoRegistration()
            #expect(node.objectID.isTemporaryID && !node.isInserted)
            let first = node.objectID
            try group(manager) {
                child.delete(node)
                try child.save()
            }
            child.undo()
            #expect(node.isInserted && node.objectID != first)
            expect(child.insertedObjects, equals: [node])
            try child.save()
            #expect(!node.isInserted)
            try child.obtainPermanentIDs(for: [node])
            #expect(!node.objectID.isTemporaryID)
            try saveAll(child, stack)
        }
    }
}
