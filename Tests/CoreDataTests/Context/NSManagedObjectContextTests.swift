// Settings of contexts.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct NSManagedObjectContextTests {
    /// Decides by itself what becomes of faults whose row is gone.
    private final class Judge: NSManagedObjectContext, @unchecked Sendable {  // as its superclass
        var asked: [NSManagedObjectID] = []

        override func shouldHandleInaccessibleFault(
            _ fault: NSManagedObject, for oid: NSManagedObjectID,
            triggeredByProperty property: NSPropertyDescription?
        ) -> Bool {
            asked.append(oid)
            #expect(fault.objectID == oid && fault.isFault)
            return true
        }
    }

    @Test func bothSpellingsOfTheKindAreOne() {
        let kinds: [NSManagedObjectContext.ConcurrencyType] = [.mainQueue, .privateQueue]
        let older: [NSManagedObjectContextConcurrencyType] = kinds.map(\.rawValue)
        expect(older, equals: [.mainQueueConcurrencyType, .privateQueueConcurrencyType])
        expect(kinds.map { NSManagedObjectContext($0).concurrencyType }, equals: older)
    }

    @Test func whatAClientKeepsStays() throws {
        let stack = try TestStack(type: NSInMemoryStoreType)
        let context = stack.context
        context.performAndWait {
            context.userInfo["place"] = 7
            context.reset()
            expect(context.userInfo["place"] as? Int, equals: 7)
            expect(stack.another().userInfo.count, equals: 0)
        }
    }

    @Test func valuesAreReadAnewWhateverTheInterval() throws {
        let stack = try TestStack()
        let (context, other) = (stack.context, stack.another())
        expect(context.stalenessInterval, equals: -1)
        try context.run { () throws in
            let note = context.make("Note", ["text": "a"])
            try context.save()
            for interval in [-1, 0, 1000.0] {
                context.stalenessInterval = interval
                expect(context.stalenessInterval, equals: interval)
                let text = "after \(interval)"
                try other.existingObject(with: note.objectID).setValue(text, forKey: "text")
                try other.save()
                context.refresh(note, mergeChanges: false)
                expect(note.text("text"), equals: text)
            }
        }
    }

    @Test func aSubclassDecidesAboutRowsThatAreGone() throws {
        let stack = try TestStack()
        let judge = Judge(concurrencyType: .privateQueueConcurrencyType)
        judge.persistentStoreCoordinator = stack.coordinator
        judge.shouldDeleteInaccessibleFaults = false
        try stack.context.run { () throws in
            let note = stack.context.make("Note", ["text": "a"])
            try stack.context.save()
            let fault = judge.object(with: note.objectID)
            stack.context.delete(note)
            try stack.context.save()
            #expect(judge.asked.isEmpty)
            #expect(fault.value(forKey: "text") == nil && fault.isDeleted)
            expect(judge.asked, equals: [fault.objectID])
        }
    }
}
