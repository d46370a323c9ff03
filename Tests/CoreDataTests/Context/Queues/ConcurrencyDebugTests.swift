// Contexts that check on which queue they are used.

import CoreData
import CoreDataTestSupport
import Dispatch
import Foundation
import Testing

@Suite struct ConcurrencyDebugTests {
    @Test func theLaunchArgumentAsksForIt() {
        let name = "-com.apple.CoreData.ConcurrencyDebug"
        #expect(ConcurrencyDebug.asks(["program", name, "1"], userDefault: 0))
        #expect(ConcurrencyDebug.asks(["program", name, "3"], userDefault: 0))
        #expect(!ConcurrencyDebug.asks(["program", name, "0"], userDefault: 1))
        #expect(!ConcurrencyDebug.asks(["program", name], userDefault: 0))
        #expect(!ConcurrencyDebug.asks(["program", name, "yes"], userDefault: 0))
        #expect(!ConcurrencyDebug.asks(["program"], userDefault: 0))
        #expect(ConcurrencyDebug.asks(["program"], userDefault: 1))
    }

    @Test func withoutItNothingIsChecked() throws {
        let stack = try TestStack()
        let person = stack.context.performAndWait { stack.context.make("Person", ["name": "Ada"]) }
        expect(person.value(forKey: "name") as? String, equals: "Ada")
    }

    /// The use of a context or an object on a wrong queue.
    enum Use: String, CaseIterable, Codable {
        case value, typedValue, set, typedSet, willAccess, willChange, relationship, members, mutableSet
        case changedValues, committedValues, hasFault, faultValue, insert, delete, refresh, fetch, count, save
        case hasChanges, insertedObjects, registeredObjects, object, reset, rollback, process, permanentIDs
    }

    @Test(arguments: Use.allCases)
    func everyUseElsewhereStopsTheProcess(_ use: Use) async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [use = use as Use] in
            ConcurrencyDebug.turnOn()
            let scene = try Scene()
            scene.perform(use)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("__Multithreading_Violation_AllThatIsLeftToUsIsHonor__"), "\(text.prefix(500))")
        #expect(text.contains("belongs to a private queue"))
    }

    @Test func theSentenceSaysWhatAndWhere() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            ConcurrencyDebug.turnOn()
            let scene = try Scene()
            let other = scene.stack.another()
            other.name = "importer"
            other.performAndWait { scene.perform(.value) }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("object x-coredata://"), "\(text.prefix(500))")
        #expect(text.contains("inside a block of context \"importer\""))
    }

    @Test func someThingsMayBeAskedAnywhere() async {
        await #expect(processExitsWith: .success) {
            ConcurrencyDebug.turnOn()
            let scene = try Scene()
            let person = scene.person
            guard person.objectID == person.objectID, !person.isFault, person.entity.name == "Person",
                person.managedObjectContext === scene.stack.context, !person.isDeleted, !person.isInserted,
                !person.isUpdated, person.hash == person.hash, person.description.contains("another queue"),
                scene.stack.context.concurrencyType == .privateQueueConcurrencyType
            else { exit(1) }
            exit(0)
        }
    }

    @Test func rightUseIsLeftAlone() async {
        await #expect(processExitsWith: .success) {
            ConcurrencyDebug.turnOn()
            let scene = try Scene()
            let (context, other) = (scene.stack.context, scene.stack.another())
            for use in Use.allCases where use != .reset { context.performAndWait { scene.perform(use) } }
            context.performAndWait { other.performAndWait { scene.perform(.value) } }
            await context.perform { scene.perform(.typedValue) }
            let standalone = Person(entity: scene.person.entity, insertInto: nil)
            standalone.setValue("Eve", forKey: "name")
            context.performAndWait { context.insert(standalone) }
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = context
            try child.run {
                for person in try child.all("Person") { person.setValue("Zoe", forKey: "name") }
                try child.save()
            }
            exit(0)
        }
    }

    @Test func standaloneObjectsBecomeCheckedWithTheirContext() async {
        await #expect(processExitsWith: .failure) {
            ConcurrencyDebug.turnOn()
            let scene = try Scene()
            let standalone = Person(entity: scene.person.entity, insertInto: nil)
            scene.stack.context.performAndWait { scene.stack.context.insert(standalone) }
            _ = standalone.value(forKey: "name")
        }
    }
}

/// A saved person with a note in a context that checks, and everything that can be done with both.
///
/// Unchecked because that is what the test is about.
private final class Scene: @unchecked Sendable {
    let stack: TestStack
    let person: NSManagedObject
    let fault: NSManagedObject
    let notes: NSMutableOrderedSet
    let age: ManagedAttribute

    init() throws {
        let stack = try TestStack()
        let context = stack.context
        self.stack = stack
        (person, fault, notes, age) = try context.run {
            let person = context.make("Person", ["name": "Ada", "age": 36])
            let fault = context.make("Person", ["name": "Eve"])
            person.setValue(NSOrderedSet(array: [context.make("Note", ["text": "engine"])]), forKey: "notes")
            try context.save()
            context.refresh(fault, mergeChanges: false)
            return (person, fault, person.mutableOrderedSetValue(forKey: "notes"), ManagedAttribute("age"))
        }
    }

    func perform(_ use: ConcurrencyDebugTests.Use) {
        let context = stack.context
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        switch use {
        case .value: _ = person.value(forKey: "name")
        case .typedValue: _ = person[age] as Int16?
        case .set: person.setValue("Grace", forKey: "name")
        case .typedSet: person[age] = Int16(5)
        case .willAccess: person.willAccessValue(forKey: "name")
        case .willChange: person.willChangeValue(forKey: "name")
        case .relationship: _ = person.value(forKey: "spouse")
        case .members: person.setValue(NSOrderedSet(), forKey: "notes")
        case .mutableSet: person.mutableSetValue(forKey: "projects").removeAllObjects()
        case .changedValues: _ = person.changedValues()
        case .committedValues: _ = person.committedValues(forKeys: nil)
        case .hasFault: _ = person.hasFault(forRelationshipNamed: "notes")
        case .faultValue: _ = fault.value(forKey: "name")
        case .insert: _ = context.make("Note")
        case .delete: context.delete(fault)
        case .refresh: context.refresh(person, mergeChanges: true)
        case .fetch: _ = try? context.fetch(request)
        case .count: _ = try? context.count(for: request)
        case .save: try? context.save()
        case .hasChanges: _ = context.hasChanges
        case .insertedObjects: _ = context.insertedObjects
        case .registeredObjects: _ = context.registeredObjects
        case .object: _ = context.object(with: person.objectID)
        case .reset: context.reset()
        case .rollback: context.rollback()
        case .process: context.processPendingChanges()
        case .permanentIDs: try? context.obtainPermanentIDs(for: [])
        }
    }
}
