// Relationships that another context saved, merged beside unsaved changes: both sides agree, and what is saved then too.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct MergedRelationshipsTests {
    /// Two contexts connect different objects with one that can be connected with one only: the own change wins.
    @Test(arguments: RivalStore.allCases, [false, true])
    func oneOfTwoRivalsGetsAnObject(_ store: RivalStore, _ isRefresh: Bool) throws {
        let graph = try RivalGraph(store, .error, ["Pin", "Knot", "Knot"])
        let (mine, theirs) = try (graph.objects(in: graph.mine, 3), graph.objects(in: graph.theirs, 3))
        theirs[1].setValue(theirs[0], forKey: "pin")
        mine[2].setValue(mine[0], forKey: "pin")
        if isRefresh {
            try graph.theirs.save()
            graph.mine.refreshAllObjects()
        } else {
            try graph.mergeChangesOfTheirs()
        }
        for (number, key, other) in [(0, "knot", [2]), (1, "pin", []), (2, "pin", [0])] {
            expect(graph.numbers(mine[number], key), equals: other, "\(number).\(key)")
        }
        try graph.mine.save()
        try expect(graph.stored(0, "knot"), equals: [2])
        try graph.check()
    }

    /// A rollback takes the removal of a member back, but the member has been deleted by others since.
    @Test(arguments: RivalStore.allCases, ["parts", "knots"])
    func aRollbackBringsNoDeletedMemberBack(_ store: RivalStore, _ key: String) throws {
        let graph = try RivalGraph(store, .error, ["Knot", key == "knots" ? "Bag" : "Knot", "Knot"])
        let mine = try graph.objects(in: graph.mine, 3)
        for number in [0, 2] {
            mine[number].setValue(mine[1], forKey: key == "knots" ? "bag" : "whole")
        }
        try graph.mine.save()
        let theirs = try graph.objects(in: graph.theirs, 3)
        expect(graph.numbers(mine[1], key), equals: [0, 2])
        mine[0].setValue(nil, forKey: key == "knots" ? "bag" : "whole")
        graph.theirs.delete(theirs[0])
        try graph.mergeChangesOfTheirs()
        graph.mine.rollback()
        expect(graph.numbers(mine[1], key), equals: [2])
        #expect(!mine[1].hasChanges && mine[0].isDeleted)
        try graph.mine.save()
        try expect(graph.stored(1, key), equals: [2])
        try graph.check()
    }

    /// Two contexts give one object to different owners, which have read their members.
    @Test(arguments: RivalStore.allCases) func oneOfTwoOwnersHasAMember(_ store: RivalStore) throws {
        let graph = try RivalGraph(store, .error, ["Knot", "Bag", "Bag", "Knot", "Knot"])
        let (mine, theirs) = try (graph.objects(in: graph.mine, 5), graph.objects(in: graph.theirs, 5))
        for (number, key) in [(1, "knots"), (2, "knots"), (3, "parts"), (4, "parts")] {
            _ = graph.numbers(mine[number], key)
        }
        theirs[0].setValuesForKeys(["bag": theirs[1], "whole": theirs[3]])
        mine[0].setValuesForKeys(["bag": mine[2], "whole": mine[4]])
        try graph.mergeChangesOfTheirs()
        for (number, key, members) in [
            (1, "knots", []), (2, "knots", [0]), (3, "parts", []), (4, "parts", [0]),
        ] {
            expect(graph.numbers(mine[number], key), equals: members, "\(number).\(key)")
        }
        try graph.mine.save()
        try expect(graph.stored(2, "knots"), equals: [0])
        try expect(graph.stored(4, "parts"), equals: [0])
        try graph.check()
    }

    /// An ordered relationship to which both add has the members of both.
    @Test(arguments: RivalStore.allCases) func anOrderTakesOthersMembers(_ store: RivalStore) throws {
        let graph = try RivalGraph(store, .error, ["Bag", "Knot", "Knot", "Tag", "Tag"])
        let (mine, theirs) = try (graph.objects(in: graph.mine, 5), graph.objects(in: graph.theirs, 5))
        for (knot, tag, objects) in [(1, 3, mine), (2, 4, theirs)] {
            objects[0].mutableOrderedSetValue(forKey: "knots").add(objects[knot])
            objects[0].mutableOrderedSetValue(forKey: "tags").add(objects[tag])
        }
        try graph.mergeChangesOfTheirs()
        expect(graph.numbers(mine[0], "knots"), equals: [1, 2])
        expect(graph.numbers(mine[0], "tags"), equals: [3, 4])
        try graph.mine.save()
        try expect(graph.stored(0, "knots"), equals: [1, 2])
        try expect(graph.stored(0, "tags"), equals: [3, 4])
        try graph.check()
    }

    /// A deletion reaches what the other context connected with the deleted object.
    @Test(arguments: RivalStore.allCases, [NSDeleteRule.nullifyDeleteRule, .cascadeDeleteRule])
    func deletionsReachWhatOthersConnected(_ store: RivalStore, _ rule: NSDeleteRule) throws {
        let graph = try RivalGraph(store, .error, rule: rule, ["Knot", "Pin", "Knot", "Tag"])
        let (mine, theirs) = try (graph.objects(in: graph.mine, 4), graph.objects(in: graph.theirs, 4))
        theirs[1].setValue(theirs[0], forKey: "knot")
        theirs[2].setValue(theirs[0], forKey: "whole")
        theirs[0].mutableSetValue(forKey: "tags").add(theirs[3])
        graph.mine.delete(mine[0])
        try graph.mergeChangesOfTheirs()
        let isCascade = rule == .cascadeDeleteRule
        for (number, key) in [(1, "knot"), (2, "whole"), (3, "knots")] {
            expect(mine[number].isDeleted, equals: isCascade)
            if !isCascade { expect(graph.numbers(mine[number], key), equals: [], "\(key)") }
        }
        try graph.mine.save()
        expect(try graph.stack.another().graphState().count, equals: isCascade ? 0 : 3)
        try graph.check()
    }

    /// But not what was taken out of its relationships here.
    @Test(arguments: RivalStore.allCases) func deletionsLeaveWhatWasMoved(_ store: RivalStore) throws {
        let graph = try RivalGraph(
            store, .error, rule: .cascadeDeleteRule, ["Knot", "Pin", "Knot", "Tag", "Knot"])
        let theirs = try graph.objects(in: graph.theirs, 5)
        theirs[0].setValue(theirs[1], forKey: "pin")
        theirs[2].setValue(theirs[0], forKey: "whole")
        theirs[0].mutableSetValue(forKey: "tags").add(theirs[3])
        try graph.theirs.save()
        let mine = try graph.objects(in: graph.mine, 5)
        mine[4].setValue(mine[1], forKey: "pin")
        mine[2].setValue(mine[4], forKey: "whole")
        mine[0].mutableSetValue(forKey: "tags").remove(mine[3])
        graph.mine.delete(mine[0])
        theirs[0].setValue("renamed", forKey: "name")
        try graph.mergeChangesOfTheirs()
        try graph.mine.save()
        expect(mine.map(\.isDeleted).filter { $0 }.count, equals: 0)
        expect(try graph.stack.another().graphState().count, equals: 4)
        try expect(graph.stored(4, "parts"), equals: [2])
        try graph.check()
    }

    /// A row that was deleted, and written anew by whoever merges the deletion late, is there.
    @Test(arguments: RivalStore.allCases) func aLateDeletionTakesNothingAway(_ store: RivalStore) throws {
        let graph = try RivalGraph(store, .error, ["Knot", "Tag"])
        graph.mine.mergePolicy = NSMergePolicy.overwrite
        let mine = try graph.objects(in: graph.mine, 2)
        graph.theirs.delete(try graph.object(0, in: graph.theirs))
        let deletion = Posted(.NSManagedObjectContextDidSave, graph.theirs)
        try graph.theirs.save()
        mine[0].mutableSetValue(forKey: "tags").add(mine[1])
        let insertion = Posted(.NSManagedObjectContextDidSave, graph.mine)
        try graph.mine.save()
        let third = graph.stack.another()
        let known = try graph.object(0, in: third)
        for (context, posted) in [(graph.mine, deletion), (third, deletion), (third, insertion)] {
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: posted.userInfo ?? [:], into: [context])
        }
        #expect(!mine[0].isDeleted && !known.isDeleted)
        expect(graph.numbers(mine[1], "knots"), equals: [0])
        expect(graph.numbers(known, "tags"), equals: [1])
    }

    /// An object that was merged as deleted is there again once the merge of its new row tells.
    @Test(arguments: RivalStore.allCases) func aRowThatIsWrittenAnewIsMerged(_ store: RivalStore) throws {
        let graph = try RivalGraph(store, .error, ["Knot"])
        graph.theirs.mergePolicy = NSMergePolicy.overwrite
        let (mine, theirs) = try (graph.object(0, in: graph.mine), graph.object(0, in: graph.theirs))
        let third = graph.stack.another()
        third.delete(try graph.object(0, in: third))
        try third.save()
        let gone = [NSDeletedObjectIDsKey: [mine.objectID]]
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: gone, into: [graph.mine])
        #expect(mine.isDeleted)
        theirs.setValue("anew", forKey: "name")
        try graph.mergeChangesOfTheirs()
        #expect(!mine.isDeleted)
        expect(mine.value(forKey: "name") as? String, equals: "anew")
        #expect(try graph.mine.all("Knot").first === mine)
    }

    /// What denies a deletion here does so still after the deleted object was merged.
    @Test(arguments: RivalStore.allCases, [false, true])
    func deletionsAreDeniedByOwnConnections(_ store: RivalStore, _ isToOne: Bool) throws {
        let graph = try RivalGraph(store, .error, rule: .denyDeleteRule, ["Bag"])
        let (mine, theirs) = try (graph.object(0, in: graph.mine), graph.object(0, in: graph.theirs))
        let other = graph.mine.make(isToOne ? "Loop" : "Tag", ["number": 1])
        if isToOne {
            other.setValue(mine, forKey: "clasp")
        } else {
            mine.setValue(NSOrderedSet(object: other), forKey: "tags")
        }
        graph.mine.delete(mine)
        theirs.setValue("renamed", forKey: "name")
        try graph.mergeChangesOfTheirs()
        let error = #expect(throws: NSError.self) { try graph.mine.save() }
        expect(error?.code, equals: NSValidationRelationshipDeniedDeleteError)
    }

    /// A deletion reaches what a refresh of all objects finds connected with the deleted one.
    @Test(arguments: RivalStore.allCases) func deletionsReachWhatARefreshFinds(_ store: RivalStore) throws {
        let graph = try RivalGraph(store, .error, ["Knot", "Tag"])
        let (mine, theirs) = try (graph.objects(in: graph.mine, 2), graph.objects(in: graph.theirs, 2))
        graph.mine.delete(mine[0])
        graph.mine.processPendingChanges()
        theirs[1].mutableSetValue(forKey: "knots").add(theirs[0])
        try graph.theirs.save()
        graph.mine.refreshAllObjects()
        expect(graph.numbers(mine[1], "knots"), equals: [])
        try graph.mine.save()
        try graph.check()
    }

    /// A new object that was deleted again leaves no key behind, though it denied that and the other side was refreshed.
    @Test(arguments: RivalStore.allCases) func deletedNewObjectsLeaveNoKeys(_ store: RivalStore) throws {
        let graph = try RivalGraph(store, .error, rule: .denyDeleteRule, ["Knot"])
        let knot = try graph.object(0, in: graph.mine)
        let pin = graph.mine.make("Pin", ["number": 1])
        pin.setValue(knot, forKey: "knot")
        graph.mine.delete(pin)
        graph.mine.refreshAllObjects()
        try graph.mine.save()
        try expect(graph.stored(0, "pin"), equals: [])
        try graph.check()
    }

    /// An object that was taken from one that a batch deleted knows its newer row, which the batch changed.
    @Test(arguments: RivalStore.allCases) func whatWasTakenFromADeletedRowIsRead(_ store: RivalStore) throws {
        let graph = try RivalGraph(store, .error, ["Pin", "Knot", "Pin"])
        let mine = try graph.objects(in: graph.mine, 3)
        mine[1].setValue(mine[0], forKey: "pin")
        try graph.mine.save()
        for isRollback in [true, false] {
            let (former, next) =
                isRollback ? (mine[0], nil) : (mine[2], graph.mine.make("Pin", ["number": 9]))
            mine[1].setValue(next, forKey: "pin")
            let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Pin")
            fetch.predicate = NSPredicate(format: "SELF == %@", former.objectID)
            let request = NSBatchDeleteRequest(fetchRequest: fetch)
            request.resultType = .resultTypeObjectIDs
            let result = try #require(try graph.theirs.execute(request) as? NSBatchDeleteResult)
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSDeletedObjectIDsKey: result.result as Any], into: [graph.mine])
            if isRollback {
                graph.mine.rollback()
                expect(graph.numbers(mine[1], "pin"), equals: [])
                mine[1].setValue(mine[2], forKey: "pin")
            }
            try graph.mine.save()
        }
        try expect(graph.stored(1, "pin"), equals: [9])
        try graph.check()
    }

    /// The own change of an object that a merge brings as a new one, or that a fetch refreshes, wins on both sides too.
    @Test(arguments: RivalStore.allCases, [false, true])
    func knownObjectsKeepTheirChanges(_ store: RivalStore, _ isFetch: Bool) throws {
        let graph = try RivalGraph(store, .error, ["Knot", "Knot", "Knot", "Pin", "Pin"])
        let (mine, theirs) = try (graph.objects(in: graph.mine, 5), graph.objects(in: graph.theirs, 5))
        for number in 0..<3 { _ = graph.numbers(mine[number], "parts") }
        mine[0].setValuesForKeys(["whole": mine[1], "pin": mine[3]])
        theirs[0].setValue(theirs[2], forKey: "whole")
        theirs[2].setValue(theirs[3], forKey: "pin")
        try graph.theirs.save()
        if isFetch {
            for entity in ["Knot", "Pin"] {
                let request = NSFetchRequest<NSManagedObject>(entityName: entity)
                request.shouldRefreshRefetchedObjects = true
                expect(try graph.mine.fetch(request).count, equals: entity == "Knot" ? 3 : 2)
            }
        } else {
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSInsertedObjectIDsKey: theirs.map(\.objectID)], into: [graph.mine])
        }
        for (number, key, others) in [
            (0, "whole", [1]), (1, "parts", [0]), (2, "parts", []), (0, "pin", [3]), (2, "pin", []),
            (3, "knot", [0]),
        ] {
            expect(graph.numbers(mine[number], key), equals: others, "\(number).\(key)")
        }
        try graph.mine.save()
        try expect(graph.stored(1, "parts"), equals: [0])
        try expect(graph.stored(3, "knot"), equals: [0])
        try graph.check()
    }

    /// A deletion that a merge has reach another object looks at that one as it is stored by now.
    @Test(arguments: RivalStore.allCases)
    func whatAMergedDeletionReachesIsReadAnew(_ store: RivalStore) throws {
        let graph = try RivalGraph(
            store, .error, rule: .cascadeDeleteRule, ["Bag", "Loop", "Knot", "Knot", "Tag"])
        let mine = try graph.objects(in: graph.mine, 5)
        mine[2].setValue(mine[1], forKey: "whole")
        mine[1].mutableSetValue(forKey: "tags").add(mine[4])
        try graph.mine.save()
        for (number, key) in [(1, "parts"), (1, "tags"), (4, "knots")] {
            _ = graph.numbers(mine[number], key)
        }
        let theirs = try graph.objects(in: graph.theirs, 5)
        theirs[0].setValue(theirs[1], forKey: "loop")
        theirs[2].setValue(theirs[3], forKey: "whole")
        theirs[1].mutableSetValue(forKey: "tags").remove(theirs[4])
        try graph.theirs.save()
        graph.mine.delete(mine[0])
        graph.mine.processPendingChanges()
        for named in [[0], [0, 1, 2, 3, 4]] {
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSUpdatedObjectIDsKey: named.map { mine[$0].objectID }],
                into: [graph.mine])
            expect(mine.filter(\.isDeleted), equals: Array(mine.prefix(2)))
        }
        try graph.mine.save()
        try expect(graph.stored(2, "whole"), equals: [3])
        try graph.check()
    }

    /// An object that was moved here to another bag has left the one that it had in the store, which is read again.
    @Test(arguments: RivalStore.allCases)
    func bagsThatAreReadAgainKnowWhatWasMovedHere(_ store: RivalStore) throws {
        let graph = try RivalGraph(store, .error, ["Knot", "Bag", "Bag"])
        let (mine, theirs) = try (graph.objects(in: graph.mine, 3), graph.objects(in: graph.theirs, 3))
        for number in 1...2 { _ = graph.numbers(mine[number], "knots") }
        theirs[0].setValue(theirs[1], forKey: "bag")
        try graph.theirs.save()
        graph.mine.refresh(mine[0], mergeChanges: true)
        mine[0].setValue(mine[2], forKey: "bag")
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSUpdatedObjectIDsKey: mine.map(\.objectID)], into: [graph.mine])
        for (number, key, others) in [(0, "bag", [2]), (1, "knots", []), (2, "knots", [0])] {
            expect(graph.numbers(mine[number], key), equals: others, "\(number).\(key)")
        }
        try graph.mine.save()
        try expect(graph.stored(2, "knots"), equals: [0])
        try graph.check()
    }

    /// A member that was added here stays one, whatever the store had and has, as long as the member itself says so.
    @Test(arguments: RivalStore.allCases)
    func membersStayThatTheStoreHadForAWhile(_ store: RivalStore) throws {
        let graph = try RivalGraph(store, .error, ["Knot", "Bag"])
        let (mine, theirs) = try (graph.objects(in: graph.mine, 2), graph.objects(in: graph.theirs, 2))
        mine[0].setValue(mine[1], forKey: "bag")
        for bag in [theirs[1], nil] {
            theirs[0].setValue(bag, forKey: "bag")
            try graph.theirs.save()
            graph.mine.refresh(mine[1], mergeChanges: true)
            expect(graph.numbers(mine[1], "knots"), equals: [0])
        }
        graph.mine.refresh(mine[0], mergeChanges: true)
        expect(graph.numbers(mine[0], "bag"), equals: [1])
        expect(graph.numbers(mine[1], "knots"), equals: [0])
        try graph.mine.save()
        try expect(graph.stored(1, "knots"), equals: [0])
        try graph.check()
    }
}
