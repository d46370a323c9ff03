// Events that are taken back after others' saves were merged: both sides of relationships agree, and nothing leads to what is gone.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct UndoAgreementTests {
    /// What the deletion of an object took from it, or deleted with it, once others had connected it, comes back with the object.
    @Test(arguments: RivalStore.allCases, [NSDeleteRule.nullifyDeleteRule, .cascadeDeleteRule])
    func whatADeletionReachedLaterComesBack(_ store: RivalStore, _ rule: NSDeleteRule) throws {
        let graph = try UndoGraph(store, rule, ["Bag", "Knot", "Tag", "Tag"])
        let (mine, theirs) = (graph.mine, graph.theirs)
        graph.event { graph.context.delete(mine[0]) }
        theirs[1].setValue(theirs[0], forKey: "bag")
        theirs[0].mutableOrderedSetValue(forKey: "tags").add(theirs[2])
        try graph.merge()
        // Every merge applies the rules again.
        theirs[3].setValue("renamed", forKey: "name")
        theirs[0].mutableOrderedSetValue(forKey: "tags").add(theirs[3])
        try graph.merge()
        expect(mine[1].isDeleted, equals: rule == .cascadeDeleteRule)
        for _ in 0..<2 {
            graph.context.undo()
            expect(mine.filter(\.isDeleted).count, equals: 0)
            try graph.expectConnections([(0, "knots", [1]), (1, "bag", [0]), (0, "tags", [2, 3])])
            graph.context.redo()
            expect(mine.filter(\.isDeleted).count, equals: rule == .cascadeDeleteRule ? 4 : 1)
        }
        graph.context.undo()
        try graph.expectStored([(0, "knots", [1]), (1, "bag", [0]), (2, "bags", [0]), (3, "bags", [0])])
    }

    /// The same once the deletion was saved, and the objects come back as new ones.
    @Test(arguments: RivalStore.allCases, [NSDeleteRule.nullifyDeleteRule, .cascadeDeleteRule])
    func itComesBackAfterASaveToo(_ store: RivalStore, _ rule: NSDeleteRule) throws {
        let graph = try UndoGraph(store, rule, ["Bag", "Knot"])
        let (mine, theirs) = (graph.mine, graph.theirs)
        graph.event { graph.context.delete(mine[0]) }
        theirs[1].setValue(theirs[0], forKey: "bag")
        try graph.merge()
        try graph.context.save()
        graph.context.undo()
        try graph.expectConnections([(0, "knots", [1]), (1, "bag", [0])])
        try graph.expectStored([(0, "knots", [1]), (1, "bag", [0])])
    }

    /// A relationship that comes back takes its place from what others put there.
    @Test(arguments: RivalStore.allCases) func whatComesBackWins(_ store: RivalStore) throws {
        let graph = try UndoGraph(store, .nullifyDeleteRule, ["Knot", "Pin", "Knot", "Bag", "Bag"])
        let (mine, theirs) = (graph.mine, graph.theirs)
        mine[0].setValue(mine[1], forKey: "pin")
        mine[0].setValue(mine[3], forKey: "bag")
        try graph.mineSaves()
        graph.event {
            mine[0].setValue(nil, forKey: "pin")
            mine[3].mutableOrderedSetValue(forKey: "knots").remove(mine[0])
        }
        try graph.mineSaves()
        theirs[2].setValue(theirs[1], forKey: "pin")
        theirs[4].mutableOrderedSetValue(forKey: "knots").add(theirs[0])
        try graph.merge()
        graph.context.undo()
        let expected = [
            (0, "pin", [1]), (1, "knot", [0]), (2, "pin", []), (0, "bag", [3]), (3, "knots", [0]),
            (4, "knots", []),
        ]
        try graph.expectConnections(expected)
        try graph.expectStored(expected)
    }

    /// An insertion that is taken back is a deletion for what others connected with the object.
    @Test(arguments: RivalStore.allCases, [NSDeleteRule.nullifyDeleteRule, .cascadeDeleteRule])
    func anInsertionIsTakenFromOthers(_ store: RivalStore, _ rule: NSDeleteRule) throws {
        let graph = try UndoGraph(store, rule, ["Pin", "Knot", "Tag", "Bag"])
        let (mine, theirs) = (graph.mine, graph.theirs)
        var knot: NSManagedObject?
        graph.event {
            let made = graph.context.make("Knot", ["name": "made", "number": 9])
            made.setValue(mine[3], forKey: "bag")
            knot = made
        }
        let made = try #require(knot)
        try graph.mineSaves()
        let theirKnot = try graph.rivals.object(9, in: graph.rivals.theirs)
        theirKnot.setValue(theirs[0], forKey: "pin")
        theirKnot.setValue(theirs[1], forKey: "next")
        theirKnot.mutableSetValue(forKey: "tags").add(theirs[2])
        try graph.merge()
        graph.context.undo()
        #expect(made.isDeleted)
        // What was connected by the event itself is left to the event.
        expect(
            mine.map(\.isDeleted), equals: Array(repeating: rule == .cascadeDeleteRule, count: 3) + [false])
        if rule == .nullifyDeleteRule {
            try graph.expectConnections([
                (0, "knot", []), (1, "previous", []), (2, "knots", []), (3, "knots", []),
            ])
        }
        graph.context.redo()
        expect(mine.filter(\.isDeleted).count, equals: 0)
        let numbers = [(0, "knot", [9]), (1, "previous", [9]), (2, "knots", [9]), (3, "knots", [9])]
        try graph.expectConnections(numbers)
        try graph.expectStored(numbers)
    }

    /// Others may have put an object where one leads of which the event changed something else.
    @Test(arguments: RivalStore.allCases) func anObjectOfTheEventMayHaveMoved(_ store: RivalStore) throws {
        let graph = try UndoGraph(store, .nullifyDeleteRule, ["Loop", "Loop", "Bag"])
        let (mine, theirs) = (graph.mine, graph.theirs)
        graph.event {
            mine[0].setValue(mine[2], forKey: "clasp")
            mine[0].mutableSetValue(forKey: "friends").add(mine[1])
        }
        try graph.mineSaves()
        theirs[2].setValue(theirs[1], forKey: "loop")
        try graph.merge()
        graph.context.undo()
        let expected = [(0, "clasp", []), (1, "clasp", []), (2, "loop", []), (1, "friends", [Int]())]
        try graph.expectConnections(expected)
        try graph.expectStored(expected)
    }

    /// A member that leaves an object whose deletion it denies comes back to it, merged or not.
    @Test(arguments: RivalStore.allCases) func aMemberComesBackToADeletedObject(_ store: RivalStore) throws {
        let graph = try UndoGraph(store, .denyDeleteRule, ["Bag", "Knot", "Bag"])
        let mine = graph.mine
        mine[1].setValue(mine[0], forKey: "bag")
        try graph.mineSaves()
        graph.event { graph.context.delete(mine[0]) }
        graph.event { mine[2].mutableOrderedSetValue(forKey: "knots").add(mine[1]) }
        graph.context.undo()
        #expect(mine[0].isDeleted)
        graph.context.undo()
        #expect(!mine[0].isDeleted)
        try graph.expectConnections([(0, "knots", [1]), (1, "bag", [0]), (2, "knots", [])])
        for _ in 0..<2 { graph.context.redo() }
        #expect(mine[0].isDeleted)
        try graph.expectConnections([(0, "knots", []), (1, "bag", [2]), (2, "knots", [1])])
    }

    /// A deletion that is taken back has taken nothing from objects which didn't know yet that others had connected them with it.
    @Test(arguments: RivalStore.allCases) func nothingIsLeftOfARemovalInAdvance(_ store: RivalStore) throws {
        let graph = try UndoGraph(store, .nullifyDeleteRule, ["Bag", "Tag", "Tag", "Knot"])
        let (mine, theirs) = (graph.mine, graph.theirs)
        theirs[0].mutableOrderedSetValue(forKey: "tags").add(theirs[1])
        theirs[3].mutableSetValue(forKey: "tags").add(theirs[1])
        for (number, key) in [(0, "tags"), (3, "tags")] {
            expect(graph.rivals.numbers(mine[number], key), equals: [])
        }
        let posted = Posted(.NSManagedObjectContextDidSave, graph.rivals.theirs)
        try graph.rivals.theirs.save()
        graph.event {
            mine[0].mutableOrderedSetValue(forKey: "tags").add(mine[2])
            mine[3].setValue("changed", forKey: "name")
            graph.context.delete(mine[1])
        }
        graph.context.undo()
        graph.context.mergeChanges(
            fromContextDidSave: Notification(
                name: .NSManagedObjectContextDidSave, object: graph.rivals.theirs, userInfo: posted.userInfo))
        let expected = [(0, "tags", [1]), (1, "bags", [0]), (3, "tags", [1]), (1, "knots", [3])]
        try graph.expectConnections(expected)
        try graph.expectStored(expected)
    }

    /// An object that came back and agrees with an older row only is checked by the save that writes the other side.
    @Test(arguments: RivalStore.allCases) func whatComesBackIsChecked(_ store: RivalStore) throws {
        let graph = try UndoGraph(store, .nullifyDeleteRule, ["Knot", "Knot"])
        let (mine, theirs) = (graph.mine, graph.theirs)
        mine[0].setValue(mine[1], forKey: "next")
        try graph.mineSaves()
        graph.event { graph.context.delete(mine[1]) }
        theirs[0].setValue(nil, forKey: "next")
        try graph.rivals.theirs.save()
        graph.context.refresh(mine[0], mergeChanges: true)
        graph.context.undo()
        try graph.expectConnections([(0, "next", [1]), (1, "previous", [0])])
        expect(#expect(throws: NSError.self) { try graph.context.save() }?.code, equals: 133_020)
        graph.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try graph.expectStored([(0, "next", [1]), (1, "previous", [0])])
    }

    /// Nothing that comes back leads to an object that others deleted meanwhile.
    @Test(arguments: RivalStore.allCases) func nothingLeadsToWhatIsGone(_ store: RivalStore) throws {
        let graph = try UndoGraph(store, .nullifyDeleteRule, ["Knot", "Knot", "Bag", "Tag"])
        let (mine, theirs) = (graph.mine, graph.theirs)
        mine[0].mutableSetValue(forKey: "parts").add(mine[1])
        mine[2].mutableOrderedSetValue(forKey: "tags").add(mine[3])
        try graph.mineSaves()
        graph.event {
            mine[1].setValue(nil, forKey: "whole")
            mine[2].mutableOrderedSetValue(forKey: "tags").remove(mine[3])
        }
        for number in [1, 3] { graph.rivals.theirs.delete(theirs[number]) }
        try graph.merge()
        graph.context.undo()
        try graph.expectConnections([(0, "parts", []), (2, "tags", [])])
        try graph.expectStored([(0, "parts", []), (2, "tags", [])])
    }

    /// A deletion that a save gave up, or a refresh, is over: what happens to the object then is no insertion of it.
    @Test(arguments: RivalStore.allCases, [false, true])
    func aDeletionThatWasGivenUpIsNoInsertion(_ store: RivalStore, _ isRefreshed: Bool) throws {
        let graph = try UndoGraph(store, .nullifyDeleteRule, ["Knot", "Tag"])
        let knot = graph.mine[0]
        graph.event { graph.context.delete(knot) }
        let posted = Posted(.NSManagedObjectContextObjectsDidChange, graph.context)
        if isRefreshed {
            graph.context.refresh(knot, mergeChanges: false)
        } else {
            graph.theirs[0].setValue("theirs", forKey: "name")
            try graph.rivals.theirs.save()
            graph.context.mergePolicy = NSMergePolicy.rollback
            try graph.context.save()
        }
        #expect(!knot.isDeleted)
        expect(posted.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject>, equals: [knot])
        graph.event { knot.mutableSetValue(forKey: "tags").add(graph.mine[1]) }
        graph.context.undo()
        #expect(!knot.isDeleted)
        try graph.expectConnections([(0, "tags", []), (1, "knots", [])])
        graph.context.redo()
        try graph.expectStored([(0, "tags", [1]), (1, "knots", [0])])
    }

    /// An event is taken back of an object that a refresh made newer: the object that it leads to by then is known from an older row.
    @Test(arguments: RivalStore.allCases)
    func whatARefreshBroughtIsLeftOnBothSides(_ store: RivalStore) throws {
        let graph = try UndoGraph(store, .nullifyDeleteRule, ["Knot", "Loop"])
        let (mine, theirs) = (graph.mine, graph.theirs)
        _ = graph.rivals.numbers(mine[1], "next")
        graph.event { mine[0].setValue(mine[0], forKey: "previous") }
        theirs[0].setValue(theirs[1], forKey: "previous")
        try graph.rivals.theirs.save()
        graph.context.refresh(mine[0], mergeChanges: false)
        graph.context.undo()
        graph.context.refresh(mine[1], mergeChanges: false)
        let leads = graph.rivals.numbers(mine[0], "previous") == [1]
        try graph.expectConnections([(1, "next", leads ? [0] : [])])
        graph.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try graph.context.save()
        try graph.rivals.check()
    }
}

/// A context with an undo manager, and another whose saves it merges.
private final class UndoGraph {
    let rivals: RivalGraph
    let context: NSManagedObjectContext
    private let manager = UndoManager()
    private(set) var mine: [NSManagedObject] = []
    private(set) var theirs: [NSManagedObject] = []

    init(_ store: RivalStore, _ rule: NSDeleteRule, _ entities: [String]) throws {
        rivals = try RivalGraph(store, .error, rule: rule, entities)
        context = rivals.mine
        mine = try rivals.objects(in: rivals.mine, entities.count)
        theirs = try rivals.objects(in: rivals.theirs, entities.count)
        manager.groupsByEvent = false
        context.undoManager = manager
    }

    func event(_ body: () -> Void) {
        manager.beginUndoGrouping()
        body()
        context.processPendingChanges()
        manager.endUndoGrouping()
    }

    /// Saves changes of mine, which theirs merges.
    func mineSaves() throws {
        let posted = Posted(.NSManagedObjectContextDidSave, context)
        manager.disableUndoRegistration()
        try context.save()
        manager.enableUndoRegistration()
        rivals.theirs.mergeChanges(
            fromContextDidSave: Notification(
                name: .NSManagedObjectContextDidSave, object: context, userInfo: posted.userInfo))
    }

    /// Saves changes of theirs, which mine merges.
    func merge() throws {
        try rivals.mergeChangesOfTheirs()
    }

    func expectConnections(_ expected: [(Int, String, [Int])]) throws {
        for (number, key, others) in expected {
            expect(rivals.numbers(mine[number], key), equals: others, "\(number).\(key)")
        }
    }

    /// Saves, and looks at what is stored then.
    func expectStored(_ expected: [(Int, String, [Int])]) throws {
        try mineSaves()
        for (number, key, others) in expected {
            try expect(rivals.stored(number, key), equals: others, "stored \(number).\(key)")
        }
        try rivals.check()
    }
}
