import CoreData
import CoreDataTestSupport
import Foundation
import Testing

/// Undo in contexts that take over what others saved.
@Suite struct UndoMergingTests {
    private static let kinds: [StoreKind] = [.sqlite, .inMemory] + StoreKind.onServers

    /// Changes saved by another context: the user info of its notification.
    private func saving(
        _ stack: UndoStack, _ body: (NSManagedObjectContext) throws -> Void
    ) throws -> [AnyHashable: Any] {
        let other = stack.container.newBackgroundContext()
        let posted = Posted(.NSManagedObjectContextDidSaveObjectIDs, other)
        try other.run { () throws in
            try body(other)
            try other.save()
        }
        return posted.userInfo ?? [:]
    }

    private func node(_ label: String, in context: NSManagedObjectContext) throws -> Node {
        let request = NSFetchRequest<Node>(entityName: "Node")
        request.predicate = NSPredicate(format: "label = %@", label)
        return try #require(try context.fetch(request).first)
    }

    @Test(arguments: kinds) func mergesAreNoActions(_ kind: StoreKind) throws {
        let stack = try UndoStack(kind)
        let context = stack.context
        try context.run { () throws in
            stack.manager.groupsByEvent = true
            let (a, b) = (context.node("a"), context.node("b"))
            a.setValue(b, forKey: "group")
            try context.save()
            stack.manager.removeAllActions()
            let changes = try saving(stack) {
                let a = try node("a", in: $0)
                a.setValue(5, forKey: "number")
                a.setValue(nil, forKey: "group")
                $0.node("c").setValue(a, forKey: "group")
                $0.delete(try node("b", in: $0))
            }
            NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [context])
            #expect(a.value(forKey: "number") as? Int == 5 && a.labels("members") == ["c"])
            #expect(b.isDeleted && !stack.manager.canUndo)
            context.undo()
            #expect(a.value(forKey: "number") as? Int == 5 && !context.updatedObjects.contains(a))
        }
    }

    @Test(arguments: kinds) func undoLeavesMergedValues(_ kind: StoreKind) throws {
        let stack = try UndoStack(kind)
        let context = stack.context
        try context.run { () throws in
            let (a, b) = (context.node("a"), context.node("b"))
            try stack.group { try context.save() }
            stack.group {
                a.setValue(1, forKey: "number")
                a.setValue(b, forKey: "group")
            }
            let changes = try saving(stack) {
                try node("a", in: $0).setValue(2.5, forKey: "height")
                try node("a", in: $0).setValue(7, forKey: "number")
                $0.delete(try node("b", in: $0))
            }
            NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [context])
            expect(a.value(forKey: "number") as? Int, equals: 1)
            context.undo()
            #expect(a.value(forKey: "number") == nil && a.value(forKey: "height") as? Double == 2.5)
            context.redo()
            // An object that was deleted meanwhile doesn't come back.
            #expect(a.value(forKey: "number") as? Int == 1 && a.value(forKey: "group") == nil)
            try context.save()
            try expect(stack.storedGraph(), equals: context.graph())
        }
    }

    @Test(arguments: kinds) func whatAPolicyDoesIsNoAction(_ kind: StoreKind) throws {
        for type in [NSMergePolicyType.mergeByPropertyStoreTrumpMergePolicyType, .overwriteMergePolicyType] {
            let stack = try UndoStack(kind)
            let context = stack.context
            try context.run { () throws in
                context.mergePolicy = NSMergePolicy(merge: type)
                let (a, b, c) = (context.node("a"), context.node("b"), context.node("c"))
                try stack.group { try context.save() }
                stack.manager.removeAllActions()
                _ = try saving(stack) {
                    try node("a", in: $0).setValue(try node("b", in: $0), forKey: "group")
                    try node("a", in: $0).setValue(9, forKey: "number")
                }
                stack.group {
                    a.setValue(c, forKey: "group")
                    a.setValue(1, forKey: "number")
                }
                try stack.group { try context.save() }
                let mine = type == .overwriteMergePolicyType
                expect(a.labels("group"), equals: [mine ? "c" : "b"])
                // The group of the save is empty.
                context.undo()
                #expect(a.labels("group") == [mine ? "c" : "b"] && !a.hasChanges)
                context.undo()
                #expect(a.value(forKey: "group") == nil && a.value(forKey: "number") == nil)
                #expect(b.labels("members").isEmpty && c.labels("members").isEmpty)
                try context.save()
                try expect(stack.storedGraph(), equals: context.graph())
            }
        }
    }

    @Test(arguments: kinds) func rowsThatAreGone(_ kind: StoreKind) throws {
        for type in [
            NSMergePolicyType.mergeByPropertyStoreTrumpMergePolicyType,
            .mergeByPropertyObjectTrumpMergePolicyType,
        ] {
            let stack = try UndoStack(kind)
            let context = stack.context
            try context.run { () throws in
                context.mergePolicy = NSMergePolicy(merge: type)
                let (a, b) = (context.node("a"), context.node("b"))
                a.setValue(b, forKey: "group")
                try stack.group { try context.save() }
                stack.manager.removeAllActions()
                _ = try saving(stack) { $0.delete(try node("a", in: $0)) }
                stack.group { a.setValue(1, forKey: "number") }
                try context.save()
                let resurrected = type == .mergeByPropertyObjectTrumpMergePolicyType
                expect((a.managedObjectContext != nil), equals: resurrected)
                context.undo()
                if resurrected { #expect(a.value(forKey: "number") == nil && a.isUpdated) }
                try context.save()
                try expect(stack.storedGraph(), equals: context.graph())
                try expect(stack.storedGraph().count, equals: (resurrected ? 2 : 1))
            }
        }
    }

    @Test(arguments: kinds) func relationshipsWithoutInverseFollow(_ kind: StoreKind) throws {
        let model = UndoModel.make()
        let boss = NSRelationshipDescription()
        boss.name = "boss"
        boss.destinationEntity = model.entities[0]
        boss.maxCount = 1
        boss.isOptional = true
        boss.deleteRule = .nullifyDeleteRule
        model.entities[0].properties.append(boss)
        let stack = try UndoStack(kind, model)
        let context = stack.context
        try context.run { () throws in
            let (a, b, c) = (context.node("a"), context.node("b"), context.node("c"))
            for node in [b, c] { node.setValue(a, forKey: "boss") }
            try stack.group { try context.save() }
            context.refresh(c, mergeChanges: false)
            stack.group { context.delete(a) }
            try context.save()
            context.undo()
            #expect(b.value(forKey: "boss") as? Node === a && b.isUpdated)
            try context.save()
            context.refreshAllObjects()
            #expect(b.value(forKey: "boss") as? Node === a)
            // Only what was read follows.
            expect(c.labels("boss"), equals: ["-"])
            let fresh = stack.container.newBackgroundContext()
            try withExtendedLifetime(fresh) {
                let stored = try node("b", in: fresh)
                expect(stored.labels("boss"), equals: ["a"])
            }
        }
    }

    @Test(arguments: kinds) func anObjectThatWasRefreshed(_ kind: StoreKind) throws {
        let stack = try UndoStack(kind)
        let context = stack.context
        try context.run { () throws in
            let (a, b) = (context.node("a"), context.node("b"))
            try stack.group { try context.save() }
            stack.group {
                a.setValue(1, forKey: "number")
                a.setValue(b, forKey: "group")
            }
            _ = try saving(stack) { try node("a", in: $0).setValue(2.5, forKey: "height") }
            context.refresh(a, mergeChanges: true)
            #expect(a.value(forKey: "height") as? Double == 2.5 && a.labels("group") == ["b"])
            context.undo()
            #expect(a.value(forKey: "number") == nil && a.value(forKey: "group") == nil)
            #expect(a.value(forKey: "height") as? Double == 2.5 && b.labels("members").isEmpty)
            #expect(!a.hasChanges)
            context.redo()
            try context.save()
            #expect(try stack.storedGraph() == context.graph() && b.labels("members") == ["a"])
        }
    }
}
