import CoreData
import CoreDataTestSupport
import Observation
import Synchronization
import Testing

@Suite struct ObservationTrackingTests {
    /// Returns the number of announced changes of properties that `read` reads.
    private func changes(_ read: () -> Void, during change: () throws -> Void) rethrows -> Int {
        let count = Mutex(0)
        withObservationTracking(read) { count.withLock { $0 += 1 } }
        try change()
        return count.withLock { $0 }
    }

    private func stack() throws -> TestStack {
        let stack = try TestStack()
        stack.context.performAndWait { stack.context.tracksObservation = true }
        return stack
    }

    @Test func valuesBySlotKeyAndCustomGetter() throws {
        let stack = try stack()
        try stack.context.run { () throws in
            let person = stack.context.make("Person", ["name": "Ada"])
            let slot = ManagedAttribute("name")
            expect(changes({ _ = person[slot] as String }, during: { person[slot] = "Bea" }), equals: 1)
            expect(changes({ _ = person["name"] }, during: { person["name"] = "Cleo" }), equals: 1)
            expect(changes({ _ = person[slot] as String? }, during: { person["name"] = "Dora" }), equals: 1)
            expect(changes({ _ = person["shout"] }, during: { person[slot] = "Eve" }), equals: 1)
            expect(changes({ _ = person["age"] }, during: { person[slot] = "Fay" }), equals: 0)
            expect(
                changes({ _ = person.primitiveValue(forKey: "name") }, during: { person[slot] = "G" }),
                equals: 1)
        }
    }

    @Test func relationships() throws {
        let stack = try stack()
        try stack.context.run { () throws in
            let company = stack.context.make("Company", ["name": "A"])
            let person = stack.context.make("Person", ["name": "Ada"])
            let people = ManagedRelationship("people")
            expect(changes({ _ = person["company"] }, during: { company.add(person, to: people) }), equals: 1)
            expect(
                changes({ _ = company[people] as Set<NSManagedObject> }, during: { person["company"] = nil }),
                equals: 1)
            expect(
                changes(
                    { _ = company.relatedObjects(forKey: "people") }, during: { person["company"] = company }),
                equals: 1)
            expect(
                changes(
                    { _ = company.mutableSetValue(forKey: "people").count },
                    during: { person["company"] = nil }), equals: 1)
            expect(changes({ _ = company["name"] }, during: { person["company"] = company }), equals: 0)
        }
    }

    @Test func flagsRollbackAndRefresh() throws {
        let stack = try stack()
        try stack.context.run { () throws in
            let context = stack.context
            let person = context.make("Person", ["name": "Ada"])
            try context.save()
            expect(changes({ _ = person.hasChanges }, during: { person["age"] = 3 }), equals: 1)
            expect(changes({ _ = person.isDeleted }, during: { context.delete(person) }), equals: 1)
            expect(changes({ _ = person["age"] }, during: { context.rollback() }), equals: 1)
            expect(
                changes({ _ = person["name"] }, during: { context.refresh(person, mergeChanges: false) }),
                equals: 1)
            #expect(person.isFault)
            expect(changes({ _ = person["name"] }, during: { person["name"] = "Bea" }), equals: 1)
            try expect(changes({ _ = person.hasChanges }, during: { try context.save() }), equals: 1)
        }
    }

    @Test func objectsThatAreFetchedAfterwardsTakePart() throws {
        let stack = try stack()
        try stack.context.run { () throws in
            let context = stack.context
            _ = context.make("Person", ["name": "Ada"])
            try context.save()
            context.reset()
            let person = try context.all("Person")[0]
            expect(changes({ _ = person["name"] }, during: { person["name"] = "Bea" }), equals: 1)
        }
    }

    @Test func aContextDecidesWhetherItsObjectsTakePart() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let context = stack.context
            let person = context.make("Person", ["name": "Ada"])
            #expect(!context.tracksObservation)
            expect(changes({ _ = person["name"] }, during: { person["name"] = "Bea" }), equals: 0)
            context.tracksObservation = true
            expect(changes({ _ = person["name"] }, during: { person["name"] = "Cleo" }), equals: 1)
            var told = 0
            let observation = person.observe("name") { _, _ in told += 1 }
            context.tracksObservation = false
            expect(changes({ _ = person["name"] }, during: { person["name"] = "Dora" }), equals: 0)
            expect(told, equals: 1)
            observation.invalidate()
        }
    }
}
