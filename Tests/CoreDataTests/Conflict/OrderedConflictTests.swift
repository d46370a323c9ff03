// Ordered relationships whose rows changed behind a context's back.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct OrderedConflictTests {
    /// A person of two contexts with notes a, b, c and d.
    private final class Notes {
        let rivals: Rivals
        let mine: [NSManagedObject]

        init(_ store: RivalStore, _ policy: NSMergePolicy) throws {
            rivals = try Rivals(store, policy)
            let context = rivals.context
            mine = ["a", "b", "c", "d"].map { context.make("Note", ["text": $0]) }
            rivals.mine.setValue(NSOrderedSet(array: mine), forKey: "notes")
            try rivals.context.save()
            rivals.other.refreshAllObjects()
        }

        func theirs(_ number: Int) throws -> NSManagedObject {
            try rivals.other.existingObject(with: mine[number].objectID)
        }

        static func texts(_ person: NSManagedObject) -> [String] {
            let notes = person.value(forKey: "notes") as? NSOrderedSet
            return notes?.array.compactMap { ($0 as? NSManagedObject)?.value(forKey: "text") as? String }
                ?? []
        }

        /// The notes' texts by their order keys in the file; none for a store in memory.
        func inFile() throws -> [String] {
            if rivals.stack.coordinator.persistentStores[0].type != NSSQLiteStoreType { return [] }
            return try RawDatabase(rivals.stack.url).rows(
                "SELECT ZTEXT FROM ZNOTE WHERE ZAUTHOR NOT NULL AND Z_FOK_AUTHOR > 0 ORDER BY Z_FOK_AUTHOR"
            ).compactMap { $0[0] }
        }
    }

    /// The other context deleted a note that is written anew: it needs a place in its author's notes.
    @Test(arguments: RivalStore.allCases, [false, true])
    func aRowThatIsWrittenAnewHasAPlace(_ store: RivalStore, _ isLoaded: Bool) throws {
        for policy in [NSMergePolicy.mergeByPropertyObjectTrump, .overwrite] {
            let notes = try Notes(store, policy)
            let (rivals, mine) = (notes.rivals, notes.mine)
            if !isLoaded { rivals.context.refresh(rivals.mine, mergeChanges: false) }
            rivals.other.delete(try notes.theirs(1))
            try rivals.other.save()
            mine[1].setValue("B", forKey: "text")
            try rivals.context.save()
            let expected = isLoaded ? ["a", "B", "c", "d"] : ["a", "c", "d", "B"]
            try expect(Notes.texts(rivals.stored(rivals.mine)), equals: expected, "\(policy.mergeType)")
            expect(Notes.texts(rivals.mine), equals: expected)
            #expect(!rivals.context.hasChanges)
            if store == .sqlite { try expect(notes.inFile(), equals: expected) }
        }
    }

    /// Without a change of order here, or with one that is given up, the store's new order shows at once.
    @Test(arguments: RivalStore.allCases, [false, true])
    func rollbackTakesTheStoresOrder(_ store: RivalStore, _ isReordered: Bool) throws {
        let notes = try Notes(store, .rollback)
        let rivals = notes.rivals
        expect(Notes.texts(rivals.mine), equals: ["a", "b", "c", "d"])
        let backwards = try [3, 2, 1, 0].map(notes.theirs)
        rivals.theirs.setValue(NSOrderedSet(array: backwards), forKey: "notes")
        try rivals.other.save()
        rivals.mine.setValue("Bob", forKey: "name")
        if isReordered {
            let some = [1, 0, 2, 3].map { notes.mine[$0] }
            rivals.mine.setValue(NSOrderedSet(array: some), forKey: "notes")
        }
        try rivals.context.save()
        expect(Notes.texts(rivals.mine), equals: ["d", "c", "b", "a"])
        try expect(Notes.texts(rivals.stored(rivals.mine)), equals: ["d", "c", "b", "a"])
        #expect(!rivals.context.hasChanges && rivals.mine.changedValues().isEmpty)
    }

    /// Members say themselves whose they are: what was changed in them stays, in the store's order.
    @Test(arguments: RivalStore.allCases)
    func rollbackPlacesMembersThatStay(_ store: RivalStore) throws {
        let notes = try Notes(store, .rollback)
        let rivals = notes.rivals
        rivals.theirs.setValue(NSOrderedSet(array: try [3, 2, 1, 0].map(notes.theirs)), forKey: "notes")
        try rivals.other.save()
        let new = rivals.context.make("Note", ["text": "e"])
        let some = [1, 0, 2].map { notes.mine[$0] } + [new]
        rivals.mine.setValue(NSOrderedSet(array: some), forKey: "notes")
        try rivals.context.save()
        expect(Notes.texts(rivals.mine), equals: ["c", "b", "a", "e"])
        try expect(Notes.texts(rivals.stored(rivals.mine)), equals: ["c", "b", "a", "e"])
        if store == .sqlite { try expect(notes.inFile(), equals: ["c", "b", "a", "e"]) }
        #expect(!rivals.context.hasChanges && rivals.mine.changedValues().isEmpty)
    }

    /// Without members that are new, the order is the store's, and nothing of the object is changed any more.
    @Test(arguments: RivalStore.allCases)
    func rollbackForgetsMembersThatLeft(_ store: RivalStore) throws {
        let notes = try Notes(store, .rollback)
        let rivals = notes.rivals
        rivals.theirs.setValue(NSOrderedSet(array: try [3, 2, 1, 0].map(notes.theirs)), forKey: "notes")
        try rivals.other.save()
        let some = [1, 0, 2].map { notes.mine[$0] }
        rivals.mine.setValue(NSOrderedSet(array: some), forKey: "notes")
        try rivals.context.save()
        expect(Notes.texts(rivals.mine), equals: ["c", "b", "a"])
        try expect(Notes.texts(rivals.stored(rivals.mine)), equals: ["c", "b", "a"])
        #expect(!rivals.context.hasChanges && rivals.mine.changedValues().isEmpty)
    }
}
