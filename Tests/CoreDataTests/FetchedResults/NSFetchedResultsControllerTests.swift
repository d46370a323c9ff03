// The answers of a fetched results controller: results, sections, paths, titles.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

/// People in a store, and controllers over them.
struct PeopleList {
    let stack: TestStack
    var context: NSManagedObjectContext { stack.context }

    /// Saves people given as name, level and age.
    init(_ people: [(String, Int, Int)], type: String = NSSQLiteStoreType) throws {
        stack = try TestStack(type: type)
        let context = stack.context
        try context.run { () throws in
            for (name, level, age) in people {
                _ = context.make("Person", ["name": name, "level": level, "age": age, "isActive": true])
            }
            try context.save()
        }
    }

    func controller(
        sort: [String] = ["name"], section: String? = nil, predicate: String? = nil, cache: String? = nil
    ) -> NSFetchedResultsController<Person> {
        NSFetchedResultsController(
            fetchRequest: request(sort: sort, predicate: predicate), managedObjectContext: context,
            sectionNameKeyPath: section, cacheName: cache)
    }

    func request(sort: [String], predicate: String? = nil) -> NSFetchRequest<Person> {
        let request = NSFetchRequest<Person>(entityName: "Person")
        request.sortDescriptors = sort.map { NSSortDescriptor(key: $0, ascending: true) }
        request.predicate = predicate.map { NSPredicate(format: $0) }
        return request
    }

    func person(_ name: String) throws -> Person {
        try #require(try context.all("Person", "name = '\(name)'").first as? Person)
    }

    static let some: [(String, Int, Int)] = [("Ada", 1, 30), ("Bob", 1, 20), ("Cyd", 2, 40), ("Dan", 3, 10)]
}

@Suite struct NSFetchedResultsControllerTests {
    private static let types = [NSSQLiteStoreType, NSInMemoryStoreType] + StoreKind.serverTypes

    private func names(_ people: [Any]?) -> [String] {
        (people ?? []).compactMap { ($0 as? NSManagedObject)?.text("name") }
    }

    @Test(arguments: types) func nothingIsThereBeforeTheFetch(_ type: String) throws {
        let list = try PeopleList(PeopleList.some, type: type)
        try list.context.run { () throws in
            let controller = list.controller(section: "level", cache: nil)
            #expect(controller.fetchedObjects == nil && controller.sections == nil)
            #expect(controller.sectionIndexTitles.isEmpty)
            try controller.performFetch()
            expect(names(controller.fetchedObjects), equals: ["Ada", "Bob", "Cyd", "Dan"])
            expect(controller.fetchRequest.entityName, equals: "Person")
            #expect(controller.managedObjectContext === list.context)
            #expect(controller.sectionNameKeyPath == "level" && controller.cacheName == nil)
        }
    }

    @Test(arguments: types) func thereMayBeNoSortDescriptors(_ type: String) throws {
        let list = try PeopleList(PeopleList.some, type: type)
        try list.context.run { () throws in
            let controller = list.controller(sort: [])
            let recorder = ResultRecorder()
            controller.delegate = recorder
            try controller.performFetch()
            recorder.copy(controller)
            expect(names(controller.fetchedObjects).sorted(), equals: ["Ada", "Bob", "Cyd", "Dan"])
            _ = list.context.make("Person", ["name": "Eve"])
            try list.context.save()
            expect(recorder.told(), equals: ["will", "insert Eve >0.4", "did"])
            list.context.delete(try list.person("Ada"))
            try list.context.save()
            expect(controller.fetchedObjects?.count, equals: 4)
        }
    }

    @Test(arguments: types) func withoutKeyPathThereIsOneSection(_ type: String) throws {
        let list = try PeopleList([], type: type)
        try list.context.run { () throws in
            let controller = list.controller()
            try controller.performFetch()
            let section = try #require(controller.sections?.first)
            #expect(controller.sections?.count == 1 && section.name.isEmpty && section.numberOfObjects == 0)
            _ = list.context.make("Person", ["name": "Eve"])
            try controller.performFetch()
            expect(names(controller.sections?.first?.objects), equals: ["Eve"])
            expect(names(controller.fetchedObjects), equals: ["Eve"])
        }
    }

    @Test(arguments: types) func sectionsFollowTheKeyPath(_ type: String) throws {
        let list = try PeopleList(PeopleList.some, type: type)
        try list.context.run { () throws in
            let controller = list.controller(sort: ["level", "name"], section: "level")
            try controller.performFetch()
            let sections = try #require(controller.sections)
            expect(sections.map(\.name), equals: ["1", "2", "3"])
            expect(sections.map(\.numberOfObjects), equals: [2, 1, 1])
            expect(names(sections[0].objects), equals: ["Ada", "Bob"])
            let path = IndexPath(row: 1, section: 0)
            let bob = controller.object(at: path)
            expect(bob.text("name"), equals: "Bob")
            expect(controller.indexPath(forObject: bob), equals: path)
            let stranger = try #require(list.context.make("Person") as? Person)
            #expect(controller.indexPath(forObject: stranger) == nil)
        }
    }

    @Test func sectionsMayComeFromGettersPathsAndTransientProperties() throws {
        let list = try PeopleList(PeopleList.some)
        try list.context.run { () throws in
            let acme = list.context.make("Company", ["name": "Acme"])
            try list.person("Ada").setValue(acme, forKey: "company")
            let shouting = list.controller(section: "shout")
            try shouting.performFetch()
            expect(shouting.sections?.map(\.name), equals: ["ADA", "BOB", "CYD", "DAN"])
            let companies = list.controller(sort: ["company.name", "name"], section: "company.name")
            try companies.performFetch()
            expect(companies.sections?.map(\.name), equals: ["", "Acme"])
            expect(companies.sections?.map(\.numberOfObjects), equals: [3, 1])
            for person in try list.context.all("Person") { person.setValue("all", forKey: "scratch") }
            let scratch = list.controller(section: "scratch")
            try scratch.performFetch()
            expect(scratch.sections?.map(\.name), equals: ["all"])
        }
    }

    @Test func sectionsThatDoNotStandTogetherFail() throws {
        let list = try PeopleList([("Ada", 1, 1), ("Bob", 2, 2), ("Cyd", 1, 3)])
        try list.context.run { () throws in
            let controller = list.controller(sort: ["name"], section: "level")
            let error = #expect(throws: NSError.self) { try controller.performFetch() }
            #expect(error?.code == NSCoreDataError && error?.domain == NSCocoaErrorDomain)
            expect(error.map { "\($0)".contains("out of order section name '1'") }, equals: true)
            #expect(controller.fetchedObjects == nil)
        }
    }

    @Test func titlesAreFirstLettersUnlessTheDelegateSaysOtherwise() throws {
        final class Titles: NSObject, NSFetchedResultsControllerDelegate {
            func controller(
                _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
                sectionIndexTitleForSectionName sectionName: String
            ) -> String? { sectionName == "Bob" ? nil : "<\(sectionName)>" }
        }
        let list = try PeopleList([("ada", 1, 1), ("alan", 1, 2), ("Bob", 1, 3)])
        try list.context.run { () throws in
            let request = list.request(sort: ["name"])
            request.sortDescriptors = [
                NSSortDescriptor(
                    key: "name", ascending: true, selector: .caseInsensitiveCompare)
            ]
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: list.context, sectionNameKeyPath: "name",
                cacheName: nil)
            try controller.performFetch()
            expect(controller.sectionIndexTitles, equals: ["A", "B"])
            expect(controller.sections?.map(\.indexTitle), equals: ["A", "A", "B"])
            expect(controller.section(forSectionIndexTitle: "B", at: 1), equals: 2)
            let titles = Titles()
            controller.delegate = titles
            expect(controller.sectionIndexTitles, equals: ["<ada>", "<alan>"])
            expect(controller.sectionIndexTitle(forSectionName: "x"), equals: "<x>")
        }
    }

    @Test func titlesMayBeOverridden() throws {
        final class Numbered: NSFetchedResultsController<Person> {
            override func sectionIndexTitle(forSectionName sectionName: String) -> String? {
                "#" + sectionName
            }
        }
        let list = try PeopleList(PeopleList.some)
        try list.context.run { () throws in
            let controller = Numbered(
                fetchRequest: list.request(sort: ["level"]), managedObjectContext: list.context,
                sectionNameKeyPath: "level", cacheName: nil)
            try controller.performFetch()
            expect(controller.sectionIndexTitles, equals: ["#1", "#2", "#3"])
            expect(controller.sections?.last?.indexTitle, equals: "#3")
        }
    }

    @Test(arguments: types) func dictionariesAreFetchedAndNotTracked(_ type: String) throws {
        let list = try PeopleList(PeopleList.some, type: type)
        try list.context.run { () throws in
            let request = NSFetchRequest<NSDictionary>(entityName: "Person")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["name", "level"]
            request.sortDescriptors = [NSSortDescriptor(key: "level", ascending: true)]
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: list.context, sectionNameKeyPath: "level",
                cacheName: nil)
            let recorder = ResultRecorder()
            controller.delegate = recorder
            try controller.performFetch()
            expect(controller.sections?.map(\.name), equals: ["1", "2", "3"])
            expect(controller.object(at: IndexPath(item: 0, section: 2))["name"] as? String, equals: "Dan")
            _ = list.context.make("Person", ["name": "Eve", "level": 1])
            try list.context.save()
            #expect(recorder.log.isEmpty && controller.fetchedObjects?.count == 4)
        }
    }

    @Test(arguments: types) func limitAndBatchSizeBearOnTheFetch(_ type: String) throws {
        let list = try PeopleList(PeopleList.some, type: type)
        try list.context.run { () throws in
            let request = list.request(sort: ["level", "name"])
            request.fetchLimit = 3
            request.fetchBatchSize = 2
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: list.context, sectionNameKeyPath: "level",
                cacheName: nil)
            let recorder = ResultRecorder()
            controller.delegate = recorder
            try controller.performFetch()
            recorder.copy(controller)
            expect(names(controller.fetchedObjects), equals: ["Ada", "Bob", "Cyd"])
            // As on Apple's systems the limit is the fetch's: what comes later is added.
            _ = list.context.make("Person", ["name": "Abe", "level": 1])
            list.context.processPendingChanges()
            expect(names(controller.fetchedObjects), equals: ["Abe", "Ada", "Bob", "Cyd"])
        }
    }

    @Test func brokenContractsRaise() async {
        await #expect(processExitsWith: .failure) {
            let stack = try TestStack()
            _ = NSFetchedResultsController(
                fetchRequest: NSFetchRequest<NSManagedObject>(entityName: "Person"),
                managedObjectContext: stack.context, sectionNameKeyPath: nil, cacheName: nil)
        }
        await #expect(processExitsWith: .failure) {
            let list = try PeopleList([])
            let controller = list.controller()
            try list.context.performAndWait { () throws in
                try controller.performFetch()
                _ = controller.object(at: IndexPath(item: 0, section: 0))
            }
        }
        await #expect(processExitsWith: .failure) {
            let list = try PeopleList([])
            _ = list.controller().object(at: IndexPath(item: 0, section: 0))
        }
        await #expect(processExitsWith: .failure) {
            let list = try PeopleList([])
            let request = list.request(sort: ["name"])
            request.resultType = .countResultType
            _ = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: list.context, sectionNameKeyPath: nil,
                cacheName: nil)
        }
        await #expect(processExitsWith: .failure) {
            _ = try PeopleList([]).controller(section: "name").section(forSectionIndexTitle: "A", at: 0)
        }
    }

    @Test func indexPathsHaveSectionsAndItems() {
        var path = IndexPath(item: 3, section: 2)
        #expect(path == IndexPath(row: 3, section: 2) && path == IndexPath(indexes: [2, 3]))
        #expect(path.section == 2 && path.item == 3 && path.row == 3)
        path.section = 5
        path.item = 6
        expect(path, equals: [5, 6])
        path.row = 7
        expect(path, equals: [5, 7])
    }
}
