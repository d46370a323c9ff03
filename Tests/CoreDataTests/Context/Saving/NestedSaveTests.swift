// Saves that begin while the context is at work: in a save, and where observers are told of changes.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

private final class SavingLeaf: NSManagedObject {
    nonisolated(unsafe) static var errors: [NSError] = []

    override func willSave() {
        super.willSave()
        do { try managedObjectContext?.save() } catch { Self.errors.append(error as NSError) }
    }
}

@Suite(.serialized) struct NestedSaveTests {
    private func observe(
        _ name: Notification.Name, of context: NSManagedObjectContext, _ body: @escaping @Sendable () -> Void
    ) -> any NSObjectProtocol {
        NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { _ in body() }
    }

    private func stored(_ stack: TestStack) throws -> [String] {
        let other = stack.another()
        return try other.run { try other.all("Person", sort: "name").compactMap { $0.text("name") } }
    }

    @Test func aSaveInASaveIsRefused() throws {
        let model = NSManagedObjectModel()
        let entity = NSEntityDescription("Leaf", [NSAttributeDescription("n", .integer64)])
        entity.managedObjectClassName = String(reflecting: SavingLeaf.self)
        model.entities = [entity]
        SavingLeaf.registerClass()
        let stack = try TestStack(model: model)
        SavingLeaf.errors = []
        try stack.context.run { () throws in
            _ = stack.context.make("Leaf", ["n": 1])
            try stack.context.save()
            #expect(!stack.context.hasChanges)
        }
        expect(SavingLeaf.errors.map(\.code), equals: [132_001])
        expect(SavingLeaf.errors.map(\.domain), equals: [NSCocoaErrorDomain])
        let other = stack.another()
        try expect(other.run { try other.all("Leaf").count }, equals: 1)
    }

    @Test func whoIsToldOfASaveMaySaveAgain() throws {
        let stack = try TestStack()
        let context = stack.context
        nonisolated(unsafe) var saves = 0
        let token = observe(.NSManagedObjectContextDidSave, of: context) {
            saves += 1
            guard saves == 1 else { return }
            _ = context.make("Person", ["name": "b"])
            do { try context.save() } catch { Issue.record(error) }
        }
        defer { NotificationCenter.default.removeObserver(token) }
        try context.run { () throws in
            _ = context.make("Person", ["name": "a"])
            try context.save()
        }
        expect(saves, equals: 2)
        try expect(stored(stack), equals: ["a", "b"])
    }

    /// Once without a change of the observer's own, once with one, as who numbers objects anew does.
    @Test(arguments: [false, true]) func whoIsToldOfChangesMaySaveThem(_ changes: Bool) throws {
        let stack = try TestStack()
        let context = stack.context
        nonisolated(unsafe) var (calls, refused): (Int, [Int]) = (0, [])
        let token = observe(.NSManagedObjectContextObjectsDidChange, of: context) {
            calls += 1
            if changes, calls == 1 {
                for person in (try? context.all("Person")) ?? [] { person.setValue(7, forKey: "age") }
            }
            do { try context.save() } catch { refused.append((error as NSError).code) }
        }
        defer { NotificationCenter.default.removeObserver(token) }
        try context.run { () throws in
            let person = context.make("Person", ["name": "a"])
            context.processPendingChanges()
            #expect(!context.hasChanges && !person.objectID.isTemporaryID)
            expect(calls, equals: changes ? 2 : 1)
            // The save of the first handler tells of its own changes, in which no other save can begin.
            expect(refused, equals: changes ? [132_001] : [])
            context.delete(person)
            context.processPendingChanges()
            #expect(!context.hasChanges)
        }
        try expect(stored(stack), equals: [])
    }
}
