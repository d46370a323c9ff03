// Relationships of rows that another context changed: both sides agree in the store whatever a policy decides.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct RelationshipAgreementTests {
    private static let trumping: [NSMergePolicy] = [
        .mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump, .overwrite,
    ]

    /// The other context connects the object of all kinds of relationships that this one deletes.
    @Test(arguments: RivalStore.allCases, trumping)
    func deletionsReachWhatOthersConnected(_ store: RivalStore, _ policy: NSMergePolicy) throws {
        let graph = try RivalGraph(store, policy, ["Knot", "Pin", "Knot", "Knot", "Tag", "Bag"])
        let (mine, theirs) = try (graph.objects(in: graph.mine, 6), graph.objects(in: graph.theirs, 6))
        theirs[1].setValue(theirs[0], forKey: "knot")
        theirs[2].setValue(theirs[0], forKey: "next")
        theirs[3].setValue(theirs[0], forKey: "whole")
        theirs[0].mutableSetValue(forKey: "tags").add(theirs[4])
        theirs[0].setValue(theirs[5], forKey: "bag")
        try graph.theirs.save()
        graph.mine.delete(mine[0])
        try graph.mine.save()
        for (number, key) in [(1, "knot"), (2, "next"), (3, "whole"), (4, "knots"), (5, "knots")] {
            try expect(graph.stored(number, key), equals: [], "\(key)")
        }
        try graph.check()
    }

    /// The same where the rule forbids the deletion: it isn't to be saved.
    @Test(arguments: RivalStore.allCases, trumping)
    func deletionsAreDeniedByWhatOthersConnected(_ store: RivalStore, _ policy: NSMergePolicy) throws {
        let graph = try RivalGraph(store, policy, rule: .denyDeleteRule, ["Knot", "Pin"])
        let (mine, theirs) = try (graph.objects(in: graph.mine, 2), graph.objects(in: graph.theirs, 2))
        theirs[1].setValue(theirs[0], forKey: "knot")
        try graph.theirs.save()
        graph.mine.delete(mine[0])
        let error = #expect(throws: NSError.self) { try graph.mine.save() }
        expect(error?.code, equals: NSValidationRelationshipDeniedDeleteError)
        try expect(graph.stored(1, "knot"), equals: [0])
        graph.mine.rollback()
        #expect(!graph.mine.hasChanges)
        try graph.check()
    }

    /// And where it reaches the other object: that one goes too.
    @Test(arguments: RivalStore.allCases, trumping)
    func cascadesReachWhatOthersConnected(_ store: RivalStore, _ policy: NSMergePolicy) throws {
        let graph = try RivalGraph(store, policy, rule: .cascadeDeleteRule, ["Knot", "Pin", "Knot"])
        let (mine, theirs) = try (graph.objects(in: graph.mine, 3), graph.objects(in: graph.theirs, 3))
        theirs[1].setValue(theirs[0], forKey: "knot")
        theirs[2].setValue(theirs[0], forKey: "whole")
        try graph.theirs.save()
        graph.mine.delete(mine[0])
        try graph.mine.save()
        try expect(graph.stack.another().graphState().keys.sorted(), equals: [])
    }

    /// Two contexts connect different objects with one that can be connected with one only.
    @Test(arguments: RivalStore.allCases, trumping + [.rollback])
    func oneOfTwoRivalsGetsAnObject(_ store: RivalStore, _ policy: NSMergePolicy) throws {
        let graph = try RivalGraph(store, policy, ["Pin", "Knot", "Knot"])
        let (mine, theirs) = try (graph.objects(in: graph.mine, 3), graph.objects(in: graph.theirs, 3))
        theirs[1].setValue(theirs[0], forKey: "pin")
        try graph.theirs.save()
        mine[2].setValue(mine[0], forKey: "pin")
        try graph.mine.save()
        let keeps = policy === NSMergePolicy.mergeByPropertyObjectTrump || policy === NSMergePolicy.overwrite
        let winner = keeps ? 2 : 1
        for context in [graph.mine, graph.stack.another()] {
            let objects = try graph.objects(in: context, 3)
            expect(graph.numbers(objects[0], "knot"), equals: [winner])
            expect(graph.numbers(objects[winner], "pin"), equals: [0])
            if context === graph.mine {
                expect(graph.numbers(objects[2], "pin"), equals: keeps ? [0] : [])
            } else {
                expect(graph.numbers(objects[3 - winner], "pin"), equals: [])
            }
        }
        try graph.check()
    }

    /// A rollback gives a deletion up, and what it did to other objects.
    @Test(arguments: RivalStore.allCases)
    func aDeletionThatIsGivenUpDisconnectsNothing(_ store: RivalStore) throws {
        let graph = try RivalGraph(store, .rollback, ["Knot", "Pin", "Tag", "Knot"])
        let mine = try graph.objects(in: graph.mine, 4)
        mine[0].setValue(mine[1], forKey: "pin")
        mine[0].mutableSetValue(forKey: "tags").add(mine[2])
        mine[3].setValue(mine[0], forKey: "next")
        try graph.mine.save()
        let knot = try graph.object(0, in: graph.theirs)
        knot.setValue("renamed", forKey: "name")
        try graph.theirs.save()
        graph.mine.delete(mine[0])
        try graph.mine.save()
        for (number, key) in [(1, "knot"), (2, "knots"), (3, "next")] {
            try expect(graph.stored(number, key), equals: [0], "\(key)")
            expect(graph.numbers(mine[number], key), equals: [0], "\(key)")
        }
        #expect(!graph.mine.hasChanges)
        try graph.check()
    }

    /// The other context deleted an object that is saved anew, and one that it was connected with.
    @Test(arguments: RivalStore.allCases, [false, true])
    func aRowThatIsWrittenAnewIsConnectedAgain(_ store: RivalStore, _ isRead: Bool) throws {
        let graph = try RivalGraph(
            store, isRead ? .overwrite : .mergeByPropertyObjectTrump,
            ["Knot", "Pin", "Tag", "Knot", "Knot", "Tag"])
        let mine = try graph.objects(in: graph.mine, 6)
        mine[0].setValue(mine[1], forKey: "pin")
        mine[0].setValue(NSSet(array: [mine[2], mine[5]]), forKey: "tags")
        mine[3].setValue(mine[0], forKey: "whole")
        mine[0].setValue(mine[4], forKey: "whole")
        try graph.mine.save()
        let expected = [("pin", [1]), ("tags", [2]), ("parts", [3]), ("whole", [])]
        if isRead { for (key, _) in expected { _ = graph.numbers(mine[0], key) } }
        for number in [0, 4, 5] { graph.theirs.delete(try graph.object(number, in: graph.theirs)) }
        try graph.theirs.save()
        mine[0].setValue("mine", forKey: "name")
        try graph.mine.save()
        for (key, numbers) in expected {
            try expect(graph.stored(0, key), equals: numbers, "\(key)")
            expect(graph.numbers(mine[0], key), equals: numbers, "\(key)")
        }
        try graph.check()
    }

    /// Whoever read the row that was deleted meets a conflict with the one that was written anew.
    @Test(arguments: RivalStore.allCases)
    func aRowThatIsWrittenAnewHasAnotherVersion(_ store: RivalStore) throws {
        let graph = try RivalGraph(store, .overwrite, ["Knot"])
        let third = graph.stack.another()
        let (mine, theirs) = try (graph.object(0, in: graph.mine), graph.object(0, in: graph.theirs))
        let older = try graph.object(0, in: third)
        graph.theirs.delete(theirs)
        try graph.theirs.save()
        mine.setValue("mine", forKey: "name")
        try graph.mine.save()
        older.setValue(7, forKey: "number")
        let error = #expect(throws: NSError.self) { try third.save() }
        expect(error?.code, equals: NSManagedObjectMergeError)
        mine.setValue("mine again", forKey: "name")
        graph.mine.mergePolicy = NSMergePolicy.error
        try graph.mine.save()
    }

    /// A context that was told that a row is gone finds it again once it was written anew.
    @Test(arguments: RivalStore.allCases)
    func aRowThatIsWrittenAnewIsSeenAgain(_ store: RivalStore) throws {
        let graph = try RivalGraph(store, .overwrite, ["Knot"])
        let third = graph.stack.another()
        let (mine, theirs) = try (graph.object(0, in: graph.mine), graph.object(0, in: graph.theirs))
        let fault = third.object(with: mine.objectID)
        graph.theirs.delete(theirs)
        try graph.theirs.save()
        #expect(fault.value(forKey: "name") == nil && fault.isDeleted)
        mine.setValue("mine", forKey: "name")
        try graph.mine.save()
        let found = try third.all("Knot")
        #expect(found.first === fault && !fault.isDeleted)
        expect(fault.value(forKey: "name") as? String, equals: "mine")
        #expect(!third.hasChanges)
    }

    /// A deletion of an object that was read lately, beside one that was read before they were connected: no conflict.
    @Test(arguments: RivalStore.allCases)
    func deletionsReadOlderRowsAnew(_ store: RivalStore) throws {
        let graph = try RivalGraph(store, .error, ["Knot", "Pin", "Knot", "Tag"])
        let (mine, theirs) = try (graph.objects(in: graph.mine, 4), graph.objects(in: graph.theirs, 4))
        expect(graph.numbers(mine[3], "knots"), equals: [])
        theirs[1].setValue(theirs[0], forKey: "knot")
        theirs[2].setValue(theirs[0], forKey: "whole")
        theirs[3].mutableSetValue(forKey: "knots").add(theirs[0])
        try graph.theirs.save()
        graph.mine.refresh(mine[0], mergeChanges: false)
        graph.mine.delete(mine[0])
        try graph.mine.save()
        for (number, key) in [(1, "knot"), (2, "whole"), (3, "knots")] {
            try expect(graph.stored(number, key), equals: [], "\(key)")
        }
        try graph.check()
    }

    /// One side of a relationship is older than the other, so that a change of it looks like none.
    @Test(arguments: RivalStore.allCases)
    func anOlderSideOfAChangedRelationshipIsAConflict(_ store: RivalStore) throws {
        let graph = try RivalGraph(store, .error, ["Knot", "Pin"])
        let mine = try graph.objects(in: graph.mine, 2)
        mine[0].setValue(mine[1], forKey: "pin")
        try graph.mine.save()
        let theirs = try graph.objects(in: graph.theirs, 2)
        theirs[0].setValue(nil, forKey: "pin")
        try graph.theirs.save()
        graph.mine.refresh(mine[0], mergeChanges: false)
        mine[0].setValue(mine[1], forKey: "pin")
        let error = #expect(throws: NSError.self) { try graph.mine.save() }
        expect(error?.code, equals: NSManagedObjectMergeError)
        graph.mine.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try graph.mine.save()
        try expect(graph.stored(1, "knot"), equals: [0])
        try graph.check()
    }

    /// The same of a relationship that is to-many on both sides: members that are known from an older row are stated.
    @Test(arguments: RivalStore.allCases, [false, true])
    func changesOfOlderMembersAreStated(_ store: RivalStore, _ isRemoval: Bool) throws {
        let graph = try RivalGraph(store, .mergeByPropertyObjectTrump, ["Knot", "Tag"])
        let (mine, theirs) = try (graph.objects(in: graph.mine, 2), graph.objects(in: graph.theirs, 2))
        if !isRemoval { mine[0].mutableSetValue(forKey: "tags").add(mine[1]) }
        try graph.mine.save()
        for (number, key) in [(0, "tags"), (1, "knots")] {
            _ = graph.numbers(mine[number], key)
            graph.theirs.refresh(theirs[number], mergeChanges: false)
        }
        let tags = theirs[0].mutableSetValue(forKey: "tags")
        if isRemoval { tags.add(theirs[1]) } else { tags.remove(theirs[1]) }
        try graph.theirs.save()
        for (refreshed, key) in [(0, "tags"), (1, "knots")] {
            graph.mine.refresh(mine[refreshed], mergeChanges: false)
            let members = mine[refreshed].mutableSetValue(forKey: key)
            if isRemoval { members.remove(mine[1 - refreshed]) } else { members.add(mine[1 - refreshed]) }
            try graph.mine.save()
            try expect(graph.stored(0, "tags"), equals: isRemoval ? [] : [1], "\(key)")
            try graph.check()
        }
    }

    /// Of two objects with the same unique value one takes the other's place: the rules of the one that goes reach nothing that has
    /// gone over, nor is it kept by that.
    @Test(
        arguments: RivalStore.allCases,
        [NSDeleteRule.nullifyDeleteRule, .cascadeDeleteRule, .denyDeleteRule, .noActionDeleteRule])
    func whatWentOverIsNotDeleted(_ store: RivalStore, _ rule: NSDeleteRule) throws {
        let model = RivalGraphModel.make { rule }
        model.entitiesByName["Tag"]?.uniquenessConstraints = [["name"]]
        let stack = try TestStack(type: store.type, model: model)
        let tag = stack.context.make("Tag", ["name": "one"])
        let former = stack.context.make("Tag", ["name": "two"])
        let (knot, bag) = (stack.context.make("Knot"), stack.context.make("Bag"))
        former.mutableSetValue(forKey: "knots").add(knot)
        former.mutableSetValue(forKey: "bags").add(bag)
        try stack.context.save()
        stack.context.mergePolicy = NSMergePolicy.overwrite
        tag.setValue("two", forKey: "name")
        try stack.context.save()
        for context in [stack.context, stack.another()] {
            let tags = try context.all("Tag")
            expect(tags.map(\.objectID), equals: [tag.objectID])
            for entity in ["Knot", "Bag"] {
                let objects = try context.all(entity)
                let shown = objects.first.map { $0.graphValues()["tags"] }
                expect(shown, equals: tag.graphName, "\(entity)")
            }
            try expect(model.contradictions(in: context.graphState()), equals: [])
        }
    }
}
