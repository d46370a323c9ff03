// Sets of `mutableOrderedSetValue(forKey:)` that a client holds: they act at once, and show what is there.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct HeldOrderedSetTests {
    private func texts(_ set: NSOrderedSet) -> [String] {
        set.array.compactMap { ($0 as? NSManagedObject)?.text("text") }
    }

    @Test(arguments: [false, true]) func aRefreshGivesItWhatOthersSaved(_ all: Bool) throws {
        let stack = try TestStack()
        let context = stack.context
        try context.run { () throws in
            let person = context.make("Person", ["name": "Ada"])
            let set = person.mutableOrderedSetValue(forKey: "notes")
            set.addObjects(from: ["a", "b"].map { context.make("Note", ["text": $0]) })
            try context.save()
            let other = stack.another()
            try other.run { () throws in
                let same = try other.existingObject(with: person.objectID)
                same.mutableOrderedSetValue(forKey: "notes").add(other.make("Note", ["text": "c"]))
                try other.save()
            }
            if all { context.refreshAllObjects() } else { context.refresh(person, mergeChanges: false) }
            expect(texts(set), equals: ["a", "b", "c"])
            #expect(person.mutableOrderedSetValue(forKey: "notes") === set)
            set.exchangeObject(at: 0, withObjectAt: 1)
            try context.save()
            let reader = stack.another()
            try reader.run { () throws in
                let same = try reader.existingObject(with: person.objectID)
                expect(texts(same.mutableOrderedSetValue(forKey: "notes")), equals: ["b", "a", "c"])
            }
        }
    }

    @Test func theLastCallWins() throws {
        let stack = try TestStack()
        let context = stack.context
        try context.run { () throws in
            let (p, q) = (context.make("Person", ["name": "p"]), context.make("Person", ["name": "q"]))
            let (ofQ, ofP) = (
                q.mutableOrderedSetValue(forKey: "notes"), p.mutableOrderedSetValue(forKey: "notes")
            )
            let notes = ["1", "2", "3"].map { context.make("Note", ["text": $0]) }
            ofQ.add(notes[0])
            ofP.add(notes[0])
            ofQ.insert(notes[1], at: 0)
            notes[1].setValue(p, forKey: "author")
            ofQ.addObjects(from: [notes[2]])
            notes[2].setValue(nil, forKey: "author")
            expect(texts(ofQ), equals: [])
            expect(texts(ofP), equals: ["1", "2"])
            try context.save()
            expect(notes.map { $0.value(forKey: "author") as? NSManagedObject }, equals: [p, p, nil])
        }
    }

    private static let changes: [@Sendable (NSMutableOrderedSet, NSManagedObject) -> Void] = [
        { $0.add($1) }, { $0.insert($1, at: 0) }, { $0.addObjects(from: [$1]) }, { $0.setObject($1, at: 0) },
        { $0.replaceObject(at: 0, with: $1) }, { set, _ in set.removeObject(at: 0) },
        { set, _ in set.remove(set[0]) }, { set, _ in set.removeAllObjects() },
        { set, _ in set.exchangeObject(at: 0, withObjectAt: 1) },
        { set, _ in set.moveObjects(at: [1], to: 0) },
        { $0.unionSet([$1]) }, { set, _ in set.minus(NSOrderedSet(array: [set[1]])) }, { $0[0] = $1 },
        { set, _ in set.sort { _, _ in .orderedDescending } },
    ]

    @Test(arguments: changes.indices) func aCallIsAChangeAtOnce(_ number: Int) throws {
        let stack = try TestStack()
        let context = stack.context
        try context.run { () throws in
            let person = context.make("Person", ["name": "Ada"])
            let set = person.mutableOrderedSetValue(forKey: "notes")
            set.addObjects(from: ["b", "a"].map { context.make("Note", ["text": $0]) })
            let note = context.make("Note", ["text": "c"])
            try context.save()
            Self.changes[number](set, note)
            #expect(person.hasChanges && person.isUpdated && context.updatedObjects.contains(person))
            expect(person.changedValues()["notes"] as? NSOrderedSet, equals: NSOrderedSet(array: set.array))
            expect((note.value(forKey: "author") != nil), equals: set.contains(note))
        }
    }
}
