// Refreshes that drop changes: the other sides of relationships follow.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct DroppedChangesTests {
    /// Objects that were connected with a refreshed one aren't any more; those that were disconnected are again.
    @Test(arguments: RivalStore.allCases) func theOtherSidesFollow(_ store: RivalStore) throws {
        let graph = try RivalGraph(store, .error, ["Knot", "Pin", "Pin", "Bag", "Bag", "Tag", "Tag", "Knot"])
        let objects = try graph.objects(in: graph.mine, 8)
        let knot = objects[0]
        knot.setValuesForKeys(["pin": objects[1], "bag": objects[3], "whole": objects[7]])
        knot.mutableSetValue(forKey: "tags").add(objects[5])
        try graph.mine.save()
        knot.setValuesForKeys(["pin": objects[2], "bag": objects[4], "whole": knot])
        knot.mutableSetValue(forKey: "tags").remove(objects[5])
        knot.mutableSetValue(forKey: "tags").add(objects[6])
        graph.mine.refresh(knot, mergeChanges: false)
        #expect(knot.isFault)
        for (number, key, others) in [
            (1, "knot", [0]), (2, "knot", []), (3, "knots", [0]), (4, "knots", []), (5, "knots", [0]),
            (6, "knots", []),
            (7, "parts", [0]), (0, "parts", []), (0, "pin", [1]), (0, "bag", [3]), (0, "tags", [5]),
            (0, "whole", [7]),
        ] {
            expect(graph.numbers(objects[number], key), equals: others, "\(number).\(key)")
        }
        try graph.mine.save()
        try expect(graph.stored(0, "pin"), equals: [1])
        try graph.check()
    }

    /// Nothing leads to a new object any more that a refresh has the context forget.
    @Test(arguments: RivalStore.allCases, [true, false])
    func nothingLeadsToAForgottenObject(_ store: RivalStore, isSetByOthers: Bool) throws {
        let graph = try RivalGraph(store, .error, ["Pin", "Bag", "Tag", "Knot"])
        let objects = try graph.objects(in: graph.mine, 4)
        let knot = graph.mine.make("Knot", ["name": "new", "number": 9])
        if isSetByOthers {
            objects[0].setValue(knot, forKey: "knot")
            objects[1].mutableOrderedSetValue(forKey: "knots").add(knot)
            objects[2].mutableSetValue(forKey: "knots").add(knot)
            objects[3].mutableSetValue(forKey: "parts").add(knot)
            objects[3].setValue(knot, forKey: "twin")
        } else {
            knot.setValuesForKeys([
                "pin": objects[0], "bag": objects[1], "whole": objects[3], "twin": objects[3], "next": knot,
            ])
            knot.mutableSetValue(forKey: "tags").add(objects[2])
        }
        graph.mine.refresh(knot, mergeChanges: false)
        for (number, key) in [(0, "knot"), (1, "knots"), (2, "knots"), (3, "parts"), (3, "twin")] {
            expect(graph.numbers(objects[number], key), equals: [], "\(number).\(key)")
        }
        #expect(knot.managedObjectContext == nil && graph.mine.insertedObjects.isEmpty)
        try graph.mine.save()
        try expect(graph.stored(3, "parts"), equals: [])
        try graph.check()
    }

    /// What was given to another object stays there.
    @Test(arguments: RivalStore.allCases) func othersKeepWhatTheyGot(_ store: RivalStore) throws {
        let graph = try RivalGraph(store, .error, ["Knot", "Knot", "Pin"])
        let objects = try graph.objects(in: graph.mine, 3)
        objects[0].setValue(objects[2], forKey: "pin")
        try graph.mine.save()
        objects[1].setValue(objects[2], forKey: "pin")
        graph.mine.refresh(objects[0], mergeChanges: false)
        for (number, key, others) in [(0, "pin", []), (1, "pin", [2]), (2, "knot", [1])] {
            expect(graph.numbers(objects[number], key), equals: others, "\(number).\(key)")
        }
        try graph.mine.save()
        try expect(graph.stored(1, "pin"), equals: [2])
        try graph.check()
    }

    /// A deletion keeps what it took, though a refresh of all objects has made it forget that.
    @Test(arguments: RivalStore.allCases) func deletionsKeepWhatTheyTook(_ store: RivalStore) throws {
        let graph = try RivalGraph(store, .error, ["Pin", "Knot", "Tag"])
        let objects = try graph.objects(in: graph.mine, 3)
        objects[1].setValue(objects[0], forKey: "pin")
        objects[1].mutableSetValue(forKey: "tags").add(objects[2])
        try graph.mine.save()
        for number in [0, 2] { graph.mine.delete(objects[number]) }
        graph.mine.processPendingChanges()
        graph.mine.refreshAllObjects()
        graph.mine.refresh(objects[1], mergeChanges: false)
        for key in ["pin", "tags"] { expect(graph.numbers(objects[1], key), equals: [], "\(key)") }
        try graph.mine.save()
        try graph.check()
    }

    /// A deletion that is dropped gives back what it took, and one of another object keeps what it took.
    @Test(arguments: RivalStore.allCases, [false, true])
    func deletionsAreDroppedWhole(_ store: RivalStore, _ isOther: Bool) throws {
        let graph = try RivalGraph(store, .error, ["Knot", "Pin", "Bag", "Tag"])
        let objects = try graph.objects(in: graph.mine, 4)
        objects[0].setValuesForKeys(["pin": objects[1], "bag": objects[2]])
        objects[0].mutableSetValue(forKey: "tags").add(objects[3])
        try graph.mine.save()
        graph.mine.delete(objects[0])
        graph.mine.processPendingChanges()
        for object in isOther ? Array(objects[1...]) : [objects[0]] {
            graph.mine.refresh(object, mergeChanges: false)
        }
        for (number, key) in [(1, "knot"), (2, "knots"), (3, "knots")] {
            expect(graph.numbers(objects[number], key), equals: isOther ? [] : [0], "\(number).\(key)")
        }
        try graph.mine.save()
        try expect(graph.stored(1, "knot"), equals: isOther ? [] : [0])
        try graph.check()
    }

    /// Two contexts made the same connection: without this one's change it is the store's.
    @Test(arguments: RivalStore.allCases, [false, true])
    func whatTheStoreConnectsByNowStays(_ store: RivalStore, _ isRead: Bool) throws {
        let graph = try RivalGraph(store, .error, ["Knot", "Bag", "Tag"])
        let (mine, theirs) = try (graph.objects(in: graph.mine, 3), graph.objects(in: graph.theirs, 3))
        for objects in [mine, theirs] {
            objects[0].setValue(objects[1], forKey: "bag")
            objects[0].mutableSetValue(forKey: "tags").add(objects[2])
        }
        try graph.theirs.save()
        if isRead { for number in 1...2 { _ = graph.numbers(mine[number], "knots") } }
        graph.mine.refresh(mine[0], mergeChanges: false)
        graph.mine.refresh(mine[0], mergeChanges: true)
        for (number, key, others) in [
            (0, "bag", [1]), (0, "tags", [2]), (1, "knots", [0]), (2, "knots", [0]),
        ] {
            expect(graph.numbers(mine[number], key), equals: others, "\(number).\(key)")
        }
    }
}
