// The changes that a delegate is told of, event by event.

import CoreData
import CoreDataTestSupport
import Foundation
import Synchronization
import Testing

@Suite struct FetchedResultsChangesTests {
    private static let types = [NSSQLiteStoreType, NSInMemoryStoreType] + StoreKind.serverTypes

    /// A controller by level and name, with a recorder.
    private func watched(
        _ list: PeopleList, sort: [String] = ["level", "name"], section: String? = "level",
        predicate: String? = nil
    ) throws -> (NSFetchedResultsController<Person>, ResultRecorder) {
        let controller = list.controller(sort: sort, section: section, predicate: predicate)
        let recorder = ResultRecorder()
        controller.delegate = recorder
        try controller.performFetch()
        recorder.copy(controller)
        return (controller, recorder)
    }

    @Test(arguments: types) func insertsDeletesUpdatesAndMoves(_ type: String) throws {
        let list = try PeopleList(PeopleList.some, type: type)
        try list.context.run { () throws in
            let (controller, recorder) = try watched(list)
            let (ada, bob, dan) = (try list.person("Ada"), try list.person("Bob"), try list.person("Dan"))
            #expect(recorder.told().isEmpty)
            _ = list.context.make("Person", ["name": "Abe", "level": 1])
            list.context.processPendingChanges()
            expect(recorder.told(), equals: ["will", "insert Abe >0.0", "did"])
            bob.setValue(99, forKey: "visits")
            list.context.processPendingChanges()
            expect(recorder.told(), equals: ["will", "update Bob 0.2>0.2", "did"])
            ada.setValue("Aza", forKey: "name")
            list.context.processPendingChanges()
            expect(recorder.told(), equals: ["will", "update Aza 0.1>0.1", "did"])
            ada.setValue("Zoe", forKey: "name")
            list.context.processPendingChanges()
            expect(recorder.told(), equals: ["will", "move Zoe 0.1>0.2", "did"])
            dan.setValue(2, forKey: "level")
            list.context.processPendingChanges()
            expect(recorder.told(), equals: ["will", "move Dan 2.0>1.1", "-section 2 3", "did"])
            list.context.delete(bob)
            bob.setValue(5, forKey: "age")
            list.context.processPendingChanges()
            expect(recorder.told(), equals: ["will", "delete  0.1>", "did"])
            dan.setValue(0, forKey: "level")
            list.context.processPendingChanges()
            expect(recorder.told(), equals: ["will", "+section 0 0", "move Dan 1.1>0.0", "did"])
            expect(controller.sections?.map(\.name), equals: ["0", "1", "2"])
            try list.context.save()
            #expect(recorder.told().isEmpty)
        }
    }

    @Test(arguments: types) func objectsEnterAndLeaveByThePredicate(_ type: String) throws {
        let list = try PeopleList(PeopleList.some, type: type)
        try list.context.run { () throws in
            let (controller, recorder) = try watched(list, section: nil, predicate: "age >= 20")
            let (ada, dan) = (try list.person("Ada"), try list.person("Dan"))
            ada.setValue(1, forKey: "age")
            dan.setValue(50, forKey: "age")
            list.context.processPendingChanges()
            expect(recorder.told(), equals: ["will", "delete Ada 0.0>", "insert Dan >0.2", "did"])
            let company = list.context.make("Company", ["name": "Acme"])
            list.context.processPendingChanges()
            #expect(recorder.told().isEmpty && company.isInserted)
            expect(controller.fetchedObjects?.count, equals: 3)
        }
    }

    @Test func relatedObjectsAreNotWatched() throws {
        let list = try PeopleList(PeopleList.some)
        try list.context.run { () throws in
            let acme = list.context.make("Company", ["name": "Acme"])
            let ada = try list.person("Ada")
            ada.setValue(acme, forKey: "company")
            let (controller, recorder) = try watched(list, section: nil, predicate: "company.name = 'Acme'")
            list.context.processPendingChanges()
            _ = recorder.told()
            acme.setValue("Other", forKey: "name")
            list.context.processPendingChanges()
            #expect(recorder.told().isEmpty && controller.fetchedObjects == [ada])
            ada.setValue(7, forKey: "visits")
            ada.setValue(8, forKey: "visits")
            list.context.processPendingChanges()
            expect(recorder.told(), equals: ["will", "delete Ada 0.0>", "did"])
        }
    }

    @Test func theOldResultsAreThereUntilChangesAreTold() throws {
        let list = try PeopleList(PeopleList.some)
        try list.context.run { () throws in
            let (controller, recorder) = try watched(list)
            var before: Int?
            recorder.atStart = { before = controller.fetchedObjects?.count }
            _ = list.context.make("Person", ["name": "Eve", "level": 1])
            list.context.processPendingChanges()
            #expect(before == 4 && controller.fetchedObjects?.count == 5)
        }
    }

    @Test(arguments: types) func rollbackAndRefreshAreChanges(_ type: String) throws {
        let list = try PeopleList(PeopleList.some, type: type)
        try list.context.run { () throws in
            let (controller, recorder) = try watched(list)
            let ada = try list.person("Ada")
            ada.setValue(3, forKey: "level")
            _ = list.context.make("Person", ["name": "Eve", "level": 9])
            list.context.delete(try list.person("Dan"))
            list.context.processPendingChanges()
            _ = recorder.told()
            list.context.rollback()
            expect(recorder.events, equals: 2)
            let now = ResultRecorder()
            now.copy(controller)
            expect(now.mirror, equals: recorder.mirror)
            expect(controller.sections?.map(\.numberOfObjects), equals: [2, 1, 1])
            _ = recorder.told()
            list.context.refresh(ada, mergeChanges: false)
            #expect(recorder.told().contains { $0.hasPrefix("update") })
        }
    }

    @Test func aResetIsNotTold() throws {
        let list = try PeopleList(PeopleList.some)
        try list.context.run { () throws in
            let (controller, recorder) = try watched(list)
            list.context.reset()
            try list.person("Ada").setValue(2, forKey: "level")
            list.context.processPendingChanges()
            #expect(recorder.told().isEmpty)
            try controller.performFetch()
            #expect(recorder.told().isEmpty)
            expect(controller.sections?.map(\.numberOfObjects), equals: [1, 2, 1])
            try list.person("Ada").setValue(1, forKey: "level")
            list.context.processPendingChanges()
            expect(recorder.told(), equals: ["will", "move Ada 1.0>0.0", "did"])
        }
    }

    @Test(arguments: types) func mergesBringInWhatTheContextHasNotSeen(_ type: String) throws {
        let list = try PeopleList(PeopleList.some, type: type)
        let other = list.stack.another()
        try list.context.run { () throws in
            list.context.reset()
            let (controller, recorder) = try watched(list, section: nil, predicate: "age > 25")
            nonisolated(unsafe) var saved: Notification?
            let token = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextDidSave, object: other, queue: nil
            ) { saved = $0 }
            defer { NotificationCenter.default.removeObserver(token) }
            try other.performAndWait { () throws in
                try other.all("Person", "name = 'Bob'")[0].setValue(90, forKey: "age")
                try other.all("Person", "name = 'Ada'")[0].setValue(5, forKey: "age")
                other.delete(try other.all("Person", "name = 'Cyd'")[0])
                _ = other.make("Person", ["name": "Eve", "age": 70])
                try other.save()
            }
            list.context.mergeChanges(fromContextDidSave: try #require(saved))
            let now = ResultRecorder()
            now.copy(controller)
            expect(controller.fetchedObjects?.map { $0.text("name") }, equals: ["Eve", "Bob"])
            expect(recorder.mirror, equals: now.mirror)
        }
    }

    @Test func withoutADelegateNothingIsFollowed() throws {
        let list = try PeopleList(PeopleList.some)
        try list.context.run { () throws in
            let controller = list.controller()
            try controller.performFetch()
            _ = list.context.make("Person", ["name": "Eve"])
            list.context.processPendingChanges()
            expect(controller.fetchedObjects?.count, equals: 4)
            try controller.performFetch()
            expect(controller.fetchedObjects?.count, equals: 5)
        }
    }

    @Test func aChangedSectionOrderReplacesTheSection() throws {
        let list = try PeopleList([("Ada", 1, 10), ("Bob", 2, 20), ("Cyd", 3, 30)])
        try list.context.run { () throws in
            let (controller, recorder) = try watched(list, sort: ["age"], section: "level")
            try list.person("Ada").setValue(40, forKey: "age")
            list.context.processPendingChanges()
            expect(
                recorder.told(), equals: ["will", "+section 2 1", "move Ada 0.0>2.0", "-section 0 1", "did"])
            expect(controller.sections?.map(\.name), equals: ["2", "3", "1"])
        }
    }

    @Test func sectionsComeBeforeObjectsAndGoAfterThem() throws {
        let list = try PeopleList([("Ada", 1, 10), ("Bob", 2, 20)])
        try list.context.run { () throws in
            let (controller, recorder) = try watched(list)
            let first = try #require(controller.sections?.first)
            let same = ["section": first] as NSDictionary
            #expect(same == ["section": controller.sections?[0] as Any] as NSDictionary)
            #expect(same != ["section": controller.sections?[1] as Any] as NSDictionary)
            try list.context.delete(list.person("Ada"))
            _ = list.context.make("Person", ["name": "Cyd", "level": 3])
            list.context.processPendingChanges()
            expect(
                recorder.told(),
                equals: ["will", "+section 1 3", "delete  0.0>", "insert Cyd >1.0", "-section 0 1", "did"])
        }
    }

    @Test func aSectionGoesAfterItsLastObjectMoved() throws {
        let list = try PeopleList([("Ada", 1, 10), ("Bob", 2, 20), ("Cyd", 3, 30), ("Dan", 4, 40)])
        try list.context.run { () throws in
            let (controller, recorder) = try watched(list)
            try list.person("Bob").setValue(1, forKey: "level")
            try list.person("Dan").setValue(0, forKey: "level")
            list.context.processPendingChanges()
            expect(
                recorder.told(),
                equals: [
                    "will", "+section 0 0", "move Dan 3.0>0.0", "move Bob 1.0>1.1", "-section 3 4",
                    "-section 1 2", "did",
                ])
            let now = ResultRecorder()
            now.copy(controller)
            expect(now.mirror.map(\.name), equals: ["0", "1", "3"])
            expect(recorder.mirror, equals: now.mirror)
        }
    }

    @Test func differencesTellOfListsWithoutSections() throws {
        let list = try PeopleList(PeopleList.some)
        try list.context.run { () throws in
            let (controller, recorder) = try watched(list, sort: ["name"], section: nil)
            let old = controller.fetchedObjects?.map(\.objectID) ?? []
            let (ada, bob) = (try list.person("Ada"), try list.person("Bob"))
            ada.setValue("Eve", forKey: "name")
            list.context.delete(bob)
            _ = list.context.make("Person", ["name": "Aba"])
            list.context.processPendingChanges()
            let difference = try #require(recorder.differences.last)
            expect(old.applying(difference), equals: controller.fetchedObjects?.map(\.objectID))
            #expect(difference.insertions.count == 2 && difference.removals.count == 2)
            let (withSections, sectioned) = try watched(list)
            ada.setValue("Abe", forKey: "name")
            list.context.processPendingChanges()
            #expect(sectioned.events == 1 && sectioned.differences.isEmpty)
            #expect(withSections.delegate === sectioned)
        }
    }

    @Test func theControllerThatIsToldOfIsTheOneAtHand() throws {
        final class Checker: NSObject, NSFetchedResultsControllerDelegate {
            var names: [String] = []
            weak var mine: AnyObject?
            var isMine = false

            func controllerDidChangeContent(
                _ controller: NSFetchedResultsController<any NSFetchRequestResult>
            ) {
                isMine = controller === mine
                names = controller.fetchedObjects?.compactMap { ($0 as? Person)?.text("name") } ?? []
                let first = controller.object(at: IndexPath(item: 0, section: 0))
                names.append((first as? Person)?.text("name") ?? "")
                names.append("\(controller.fetchRequest.entityName ?? "") \(controller.sections?.count ?? 0)")
            }
        }
        let list = try PeopleList(PeopleList.some)
        try list.context.run { () throws in
            let controller = list.controller()
            let checker = Checker()
            checker.mine = controller
            controller.delegate = checker
            try controller.performFetch()
            list.context.delete(try list.person("Ada"))
            list.context.processPendingChanges()
            #expect(checker.isMine && checker.names == ["Bob", "Cyd", "Dan", "Bob", "Person 1"])
        }
    }

    @Test func oneChangeLooksAtFewObjects() throws {
        let list = try PeopleList([], type: NSInMemoryStoreType)
        let comparisons = Mutex(0)
        try list.context.run { () throws in
            for number in 0..<5000 {
                _ = list.context.make(
                    "Person", ["name": "n\(number)", "visits": number * 10, "level": number / 1000])
            }
            try list.context.save()
            let request = list.request(sort: [])
            request.sortDescriptors = [
                NSSortDescriptor(key: "visits", ascending: true) { left, right in
                    comparisons.withLock { $0 += 1 }
                    guard let left = left as? Int, let right = right as? Int else { return .orderedSame }
                    return left < right
                        ? .orderedAscending : left == right ? .orderedSame : .orderedDescending
                }
            ]
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: list.context, sectionNameKeyPath: nil,
                cacheName: nil)
            let recorder = ResultRecorder()
            controller.delegate = recorder
            try controller.performFetch()
            recorder.copy(controller)
            #expect(comparisons.withLock { $0 } > 4000)
            comparisons.withLock { $0 = 0 }
            try list.person("n4321").setValue(15, forKey: "visits")
            list.context.processPendingChanges()
            expect(recorder.told(), equals: ["will", "move n4321 0.4321>0.2", "did"])
            #expect(comparisons.withLock { $0 } < 40)
        }
    }
}
