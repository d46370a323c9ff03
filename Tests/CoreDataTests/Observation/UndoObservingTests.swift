import CoreData
import CoreDataTestSupport
import Testing

/// Observers of what undo brings back.
@Suite struct UndoObservingTests {
    /// The state of the group's members when they are changed, and when that is undone.
    enum Reading: CaseIterable, Sendable {
        case never, before, after
        /// The group is a fault when the change is undone.
        case faulted
    }

    @Test(arguments: Reading.allCases) func theToManySideIsTold(_ reading: Reading) throws {
        let stack = try UndoStack()
        try stack.context.run { () throws in
            let context = stack.context
            let (group, member) = (context.node("group"), context.node("member"))
            stack.group { member.setValue(group, forKey: "group") }
            try context.save()
            context.refreshAllObjects()
            if reading == .before { expect(group.labels("members"), equals: ["member"]) }
            stack.group { member.setValue(nil, forKey: "group") }
            if reading == .after { #expect(group.labels("members").isEmpty) }
            if reading == .faulted {
                try context.save()
                context.refreshAllObjects()
            }
            var seen: [String] = []
            let observation = group.observe("members", options: []) { group, change in
                seen.append("\(change.kind) \(group.labels("members"))")
            }
            context.undo()
            expect(seen, equals: ["setting [\"member\"]"])
            context.redo()
            expect(seen, equals: ["setting [\"member\"]", "setting []"])
            observation.invalidate()
        }
    }

    @Test(arguments: [false, true]) func aDeletedMemberComesBack(_ isSaved: Bool) throws {
        let stack = try UndoStack()
        try stack.context.run { () throws in
            let context = stack.context
            let (group, member) = (context.node("group"), context.node("member"))
            stack.group { member.setValue(group, forKey: "group") }
            try context.save()
            context.refreshAllObjects()
            var seen: [[String]] = []
            let observation = group.observe("members", options: .old) { group, change in
                let old = (change.oldValue as? NSSet)?.allObjects.compactMap { ($0 as? Node)?.label }
                seen.append(old ?? ["none"])
                seen.append(group.labels("members"))
            }
            stack.group {
                context.delete(member)
                context.processPendingChanges()
            }
            if isSaved { try context.save() }
            expect(seen, equals: [["member"], []])
            seen = []
            context.undo()
            expect(seen, equals: [[], ["member"]])
            observation.invalidate()
        }
    }

    /// A restored object is related to others than its observers last knew.
    @Test func aDeletedGroupComesBackWithFewer() throws {
        let stack = try UndoStack()
        try stack.context.run { () throws in
            let context = stack.context
            let (group, first, second) = (context.node("group"), context.node("a"), context.node("b"))
            stack.group { for member in [first, second] { member.setValue(group, forKey: "group") } }
            try context.save()
            var seen: [[String]] = []
            let observation = group.observe("members", options: []) { group, _ in
                seen.append(group.labels("members"))
            }
            stack.group {
                context.delete(group)
                context.processPendingChanges()
            }
            try context.save()
            let other = stack.container.newBackgroundContext()
            try other.run { () throws in
                other.delete(try other.all("Node", "label = 'b'")[0])
                try other.save()
            }
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSDeletedObjectIDsKey: [second.objectID]], into: [context])
            #expect(seen.isEmpty)
            context.undo()
            #expect(seen == [["a"]] && group.labels("members") == ["a"])
            observation.invalidate()
        }
    }

    /// Members of an unordered relationship have no order that could change.
    @Test func rollbackTellsOnlyOfWhatDiffers() throws {
        let stack = try UndoStack()
        try stack.context.run { () throws in
            stack.context.undoManager = nil
            let group = stack.context.node("group")
            for number in 0..<20 { stack.context.node("\(number)").setValue(group, forKey: "group") }
            try stack.context.save()
            expect(group.labels("members").count, equals: 20)
            group.setValue("changed", forKey: "label")
            var seen: [String] = []
            let observation = group.observe(["members", "label"]) { _, key, _ in seen.append(key) }
            stack.context.rollback()
            #expect(seen == ["label"] && group.labels("members").count == 20)
            observation.invalidate()
        }
    }
}
