// Facts about fetches that are easy to get wrong. Each name states one. More are in FetchSemanticsTests: bounds after
// unsaved changes, subentities, the numbers of result types, sorting by what isn't fetched, dictionaries in batches.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct FetchPitfalls {
    /// Ada is 1, Bea 2, Cyd 3 in the store; unsaved: Ada is 10, Cyd deleted, Dan new.
    private func pending(
        _ kind: StoreKind, _ body: (NSManagedObjectContext) throws -> Void
    ) throws {
        let scene = try StoreScene(kind)
        try scene.saved("Person", "Ada", "Bea", "Cyd")
        try scene.theirs.run { () throws in
            let context = scene.theirs
            try context.person("Ada").setValue(10, forKey: "age")
            context.delete(try context.person("Cyd"))
            _ = context.make("Person", ["name": "Dan", "age": 4])
            try body(context)
        }
    }

    private func request<T>(_ type: NSFetchRequestResultType, _: T.Type) -> NSFetchRequest<T> {
        let request = NSFetchRequest<T>(entityName: "Person")
        request.resultType = type
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        return request
    }

    @Test(arguments: StoreKind.withObjects)
    func objectsIDsAndCountsIncludeUnsavedChanges(_ kind: StoreKind) throws {
        try pending(kind) { context in
            let old = request(.managedObjectResultType, NSManagedObject.self)
            old.predicate = NSPredicate(format: "age >= 2")
            try expect(context.fetch(old).map { $0.text("name") }, equals: ["Ada", "Bea", "Dan"])
            try expect(context.count(for: old), equals: 3)
            let ids = request(.managedObjectIDResultType, NSManagedObjectID.self)
            let found = try context.fetch(ids)
            #expect(found.count == 3 && found.filter(\.isTemporaryID).count == 1)
            let count = request(.countResultType, NSNumber.self)
            try expect(context.fetch(count), equals: [3])
        }
    }

    @Test(arguments: StoreKind.withObjects)
    func withoutPendingChangesMembershipIsTheStoresAndValuesAreTheObjects(_ kind: StoreKind) throws {
        // A client's incremental store asks the context's own objects, and can't tell what is saved.
        guard kind != .incremental else { return }
        try pending(kind) { context in
            let young = request(.managedObjectResultType, NSManagedObject.self)
            young.includesPendingChanges = false
            young.predicate = NSPredicate(format: "age < 5")
            let found = try context.fetch(young)
            expect(found.map { $0.text("name") }, equals: ["Ada", "Bea", "Cyd"])
            expect(found.first?.value(forKey: "age") as? Int, equals: 10)
            try expect(context.count(for: young), equals: 3)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func dictionariesAreTheStoresOnly(_ kind: StoreKind) throws {
        try pending(kind) { context in
            let rows = request(.dictionaryResultType, NSDictionary.self)
            rows.propertiesToFetch = ["name", "age"]
            let found = try context.fetch(rows)
            expect(found.map { $0["name"] as? String }, equals: ["Ada", "Bea", "Cyd"])
            expect(found.map { $0["age"] as? Int }, equals: [1, 2, 3])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func dictionariesHoldAllAttributesAndNoRelationshipUnlessToldOtherwise(_ kind: StoreKind) throws {
        let scene = try StoreScene(kind)
        try scene.mine.run { () throws in
            let company = scene.mine.make("Company", ["name": "A"])
            _ = scene.mine.make("Person", ["name": "Ada", "age": 3, "company": company])
            try scene.mine.save()
            let rows = request(.dictionaryResultType, NSDictionary.self)
            let row = try #require(try scene.mine.fetch(rows).first)
            expect(Set(row.allKeys as? [String] ?? []), equals: ["name", "age", "visits"])
            rows.propertiesToFetch = ["company"]
            try expect(
                scene.mine.fetch(rows).first?["company"] as? NSManagedObjectID, equals: company.objectID)
        }
    }

    @Test func aToManyColumnThrows() throws {
        let context = try StoreScene(.inMemory).mine
        let request = NSFetchRequest<NSDictionary>(entityName: "Person")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["projects"]
        #expect(error { _ = try context.fetch(request) }?.code == NSCoreDataError)
    }

    private func aggregate(_ function: String, _ name: String) -> NSExpressionDescription {
        let description = NSExpressionDescription()
        description.name = name
        description.expression = NSExpression(
            forFunction: function, arguments: [NSExpression(forKeyPath: "age")])
        description.expressionResultType = .integer16AttributeType
        return description
    }

    @Test(arguments: StoreKind.allCases)
    func anAggregateWithoutGroupsMakesOneRowOfAll(_ kind: StoreKind) throws {
        let scene = try StoreScene(kind)
        try scene.saved("Person", "Ada", "Bea", "Cyd")
        try scene.mine.run { () throws in
            let rows = request(.dictionaryResultType, NSDictionary.self)
            rows.sortDescriptors = nil
            rows.propertiesToFetch = [aggregate("sum:", "sumOfInt"), aggregate("max:", "oldest")]
            let found = try scene.mine.fetch(rows)
            #expect(found.count == 1 && found.first?["sumOfInt"] as? Int == 6)
            expect(found.first?["oldest"] as? Int, equals: 3)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func distinctResultsFoldEqualRows(_ kind: StoreKind) throws {
        let scene = try StoreScene(kind)
        try scene.saved("Person", "Ada", "Ada", "Bea")
        try scene.mine.run { () throws in
            let rows = request(.dictionaryResultType, NSDictionary.self)
            rows.propertiesToFetch = ["name"]
            rows.returnsDistinctResults = true
            try expect(scene.mine.fetch(rows).map { $0["name"] as? String }, equals: ["Ada", "Bea"])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func aConditionOnGroupsNamesAnAggregateByItsVariable(_ kind: StoreKind) throws {
        let scene = try StoreScene(kind)
        try scene.saved("Person", "Ada", "Ada", "Bea")
        try scene.mine.run { () throws in
            let rows = request(.dictionaryResultType, NSDictionary.self)
            rows.propertiesToFetch = ["name", aggregate("count:", "number")]
            rows.propertiesToGroupBy = ["name"]
            rows.havingPredicate = NSPredicate(format: "$number > 1")
            try expect(scene.mine.fetch(rows).map { $0["name"] as? String }, equals: ["Ada"])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func oneEntityLivesInTwoStoresAndEachIsAskedAlone(_ kind: StoreKind) throws {
        let scene = try StoreScene(kind)
        let coordinator = scene.container.persistentStoreCoordinator
        let second = try coordinator.addPersistentStore(
            ofType: kind.type, configurationName: nil,
            at: try StoreKind.place(kind.type, scene.container.folder, "Second"))
        let context = scene.mine
        try context.run { () throws in
            context.assign(context.make("Person", ["name": "One"]), to: scene.container.store)
            context.assign(context.make("Person", ["name": "Two"]), to: second)
            try context.save()
            let people = request(.managedObjectResultType, NSManagedObject.self)
            try expect(context.fetch(people).map { $0.text("name") }, equals: ["One", "Two"])
            people.affectedStores = [second]
            let found = try context.fetch(people)
            #expect(found.map { $0.text("name") } == ["Two"] && found[0].objectID.persistentStore === second)
            try expect(context.count(for: people), equals: 1)
        }
    }

    @Test(arguments: StoreKind.withObjects)
    func anAsynchronousFetchAnswersByCast(_ kind: StoreKind) throws {
        let scene = try StoreScene(kind)
        try scene.saved("Person", "Ada", "Bea")
        let context = scene.mine
        let done = DispatchSemaphore(value: 0)
        let later = NSAsynchronousFetchRequest(
            fetchRequest: request(.managedObjectResultType, NSManagedObject.self)
        ) { _ in done.signal() }
        let result = try context.run { () throws in
            try #require(try context.execute(later) as? NSAsynchronousFetchResult<NSManagedObject>)
        }
        done.wait()
        context.performAndWait {
            expect(result.finalResult?.map { $0.text("name") }, equals: ["Ada", "Bea"])
        }
    }
}
