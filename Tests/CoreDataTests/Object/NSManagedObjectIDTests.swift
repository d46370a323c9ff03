// Object IDs as values.

import CoreData
import CoreDataTestSupport
import Dispatch
import Foundation
import Synchronization
import Testing

@Suite struct NSManagedObjectIDTests {
    @Test func idsOfOneRowAreEqualInAllContexts() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let (one, two) = (stack.context.make("Note"), stack.context.make("Note"))
            let temporary = one.objectID
            try stack.context.save()
            let id: NSManagedObjectID = one.objectID
            let uri = id.uriRepresentation()
            let again = try #require(stack.coordinator.managedObjectID(forURIRepresentation: uri))
            #expect(id.isEqual(again) && again.isEqual(id) && id.hash == again.hash)
            let other = stack.another()
            let found = try other.all("Note").map(\.objectID)
            expect(Set(found), equals: [id, two.objectID])
            #expect(!id.isEqual(two.objectID) && !id.isEqual(temporary) && !id.isEqual(nil))
            #expect(!id.isEqual(uri.absoluteString))
        }
    }

    @Test func copiesAreTheIDItself() throws {
        let stack = try TestStack(type: NSInMemoryStoreType)
        stack.context.performAndWait {
            let id = stack.context.make("Note").objectID
            #expect(id.copy(with: nil) as? NSManagedObjectID === id)
            #expect(id.copy() as? NSManagedObjectID === id)
        }
    }

    @Test func theDescriptionHoldsTheURI() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let note = stack.context.make("Note")
            #expect(note.objectID.description.contains("x-coredata:///Note/t"))
            try stack.context.save()
            let store = try #require(stack.coordinator.persistentStores[0].identifier)
            #expect(note.objectID.description.contains("x-coredata://\(store)/Note/p1>"))
            expect("\(note.objectID)", equals: note.objectID.description)
        }
    }

    /// Apps ask for the IDs of one context's objects on queues of others.
    @Test func allThreadsGetOneObjectsOneID() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            for _ in 0..<5_000 { _ = stack.context.make("Note") }
            try stack.context.save()
        }
        for _ in 0..<5 {
            let reader = stack.another()
            try reader.run { () throws in
                nonisolated(unsafe) let notes = try reader.all("Note")
                let found = Mutex<[[NSManagedObjectID]]>([])
                DispatchQueue.concurrentPerform(iterations: 8) { _ in
                    let ids = notes.map(\.objectID)
                    found.withLock { $0.append(ids) }
                }
                let lists = found.withLock { $0.map { $0.map(ObjectIdentifier.init) } }
                expect(Set(lists).count, equals: 1)
            }
        }
    }
}
