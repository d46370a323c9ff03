import CoreData
import CoreDataTestSupport
import Testing

@Suite struct ContextObserversTests {
    @Test func hasChangesIsObserved() throws {
        let stack = try TestStack()
        let context = stack.context
        try context.run { () throws in
            var seen: [[Bool?]] = []
            let observation = context.observe(\.hasChanges, options: [.initial, .old, .new]) {
                observed, change in
                #expect(observed === context && change.kind == .setting)
                seen.append([change.oldValue, change.newValue])
            }
            expect(seen, equals: [[nil, false]])
            let person = context.make("Person", ["name": "Ada"])
            person.setValue("Bea", forKey: "name")
            expect(seen.dropFirst(), equals: [[false, true]])
            try context.save()
            #expect(seen.last == [true, false] && seen.count == 3)
            context.delete(person)
            context.rollback()
            person.setValue("Cleo", forKey: "name")
            context.refresh(person, mergeChanges: false)
            _ = context.make("Person")
            context.reset()
            #expect(seen.count == 9 && seen.last == [true, false])
            let new = context.make("Person")
            context.delete(new)
            context.processPendingChanges()
            expect(seen.last?.last, equals: context.hasChanges)
            let count = seen.count
            observation.invalidate()
            _ = context.make("Company")
            expect(seen.count, equals: count)
        }
    }

    @Test func priorCallsComeFirst() throws {
        let stack = try TestStack()
        try stack.context.run {
            var seen: [Bool] = []
            let observation = stack.context.observe(\.hasChanges, options: [.prior, .new]) { _, change in
                seen.append(change.isPrior)
                #expect((change.newValue == nil) == change.isPrior && change.oldValue == nil)
            }
            _ = stack.context.make("Company")
            expect(seen, equals: [true, false])
            observation.invalidate()
        }
    }

    @Test func theLastReleaseEndsAnObservation() throws {
        let stack = try TestStack()
        try stack.context.run {
            var count = 0
            var observation: NSKeyValueObservation? = stack.context.observe(\.hasChanges) { _, _ in count += 1
            }
            _ = stack.context.make("Company")
            #expect(count == 1 && observation != nil)
            observation = nil
            stack.context.rollback()
            expect(count, equals: 1)
        }
    }

    @Test func otherPropertiesAreRefused() async {
        await #expect(processExitsWith: .failure) {
            let stack = try TestStack()
            try stack.context.run { _ = stack.context.observe(\.insertedObjects) { _, _ in } }
        }
    }
}
