// The mistakes that users of batch requests make.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

struct BatchPitfalls {
    private func fill(_ context: NSManagedObjectContext, people count: Int) throws {
        for number in 0..<count { _ = context.make("Person", ["name": "n\(number)", "age": number]) }
        try context.save()
    }

    @Test(arguments: [NSSQLiteStoreType, NSInMemoryStoreType] + StoreKind.serverTypes)
    func eachResultTypeHasItsValue(_ type: String) throws {
        let stack = try TestStack(type: type)
        let context = stack.context
        try context.run {
            let insert = NSBatchInsertRequest(entityName: "Company", objects: [["name": "a"], ["name": "b"]])
            expect((try context.execute(insert) as? NSBatchInsertResult)?.result as? Bool, equals: true)
            insert.resultType = .count
            expect((try context.execute(insert) as? NSBatchInsertResult)?.result as? Int, equals: 2)
            insert.resultType = .objectIDs
            let inserted = (try context.execute(insert) as? NSBatchInsertResult)?.result
            expect((inserted as? [NSManagedObjectID])?.count, equals: 2)

            let update = NSBatchUpdateRequest(entityName: "Company")
            update.propertiesToUpdate = ["name": "c"]
            expect((try context.execute(update) as? NSBatchUpdateResult)?.result as? Bool, equals: true)
            update.resultType = .updatedObjectsCountResultType
            expect((try context.execute(update) as? NSBatchUpdateResult)?.result as? Int, equals: 6)
            update.resultType = .updatedObjectIDsResultType
            let updated = (try context.execute(update) as? NSBatchUpdateResult)?.result
            expect((updated as? [NSManagedObjectID])?.count, equals: 6)

            let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Company")
            request.fetchLimit = 2
            let delete = NSBatchDeleteRequest(fetchRequest: request)
            expect((try context.execute(delete) as? NSBatchDeleteResult)?.result as? Bool, equals: true)
            delete.resultType = .resultTypeCount
            expect((try context.execute(delete) as? NSBatchDeleteResult)?.result as? Int, equals: 2)
            delete.resultType = .resultTypeObjectIDs
            let deleted = (try context.execute(delete) as? NSBatchDeleteResult)?.result
            expect((deleted as? [NSManagedObjectID])?.count, equals: 2)
            #expect(try context.all("Company").isEmpty)
        }
    }

    @Test(arguments: [NSSQLiteStoreType, NSInMemoryStoreType] + StoreKind.serverTypes)
    func contextsAreUntouchedUntilTheIDsAreMerged(_ type: String) throws {
        let stack = try TestStack(type: type)
        let context = stack.context
        try context.run {
            try fill(context, people: 3)
            let people = try context.all("Person", sort: "age")
            let update = NSBatchUpdateRequest(entityName: "Person")
            update.predicate = NSPredicate(format: "age == 1")
            update.propertiesToUpdate = ["name": "changed"]
            update.resultType = .updatedObjectIDsResultType
            let updated = try #require(
                (try context.execute(update) as? NSBatchUpdateResult)?.result as? [NSManagedObjectID])
            expect(updated, equals: [people[1].objectID])
            expect(people[1].text("name"), equals: "n1")
            #expect(!context.hasChanges)
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSUpdatedObjectsKey: updated], into: [context])
            expect(people[1].text("name"), equals: "changed")

            let delete = NSBatchDeleteRequest(objectIDs: [people[2].objectID])
            delete.resultType = .resultTypeObjectIDs
            let deleted = try #require(
                (try context.execute(delete) as? NSBatchDeleteResult)?.result as? [NSManagedObjectID])
            expect(deleted, equals: [people[2].objectID])
            #expect(!people[2].isDeleted)
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSDeletedObjectsKey: deleted], into: [context])
            #expect(people[2].isDeleted)

            let insert = NSBatchInsertRequest(entityName: "Person", objects: [["name": "new", "age": 9]])
            insert.resultType = .objectIDs
            let inserted = try #require(
                (try context.execute(insert) as? NSBatchInsertResult)?.result as? [NSManagedObjectID])
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSInsertedObjectsKey: inserted], into: [context])
            let new = context.object(with: inserted[0])
            expect(new.text("name"), equals: "new")
            expect(new.value(forKey: "visits") as? Int, equals: 7)
        }
    }

    @Test
    func batchDeleteHonoursSubentities() throws {
        let stack = try TestStack()
        let context = stack.context
        try context.run {
            _ = context.make("Employee", ["name": "e"])
            try fill(context, people: 2)
            let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Person")
            request.includesSubentities = false
            let delete = NSBatchDeleteRequest(fetchRequest: request)
            delete.resultType = .resultTypeCount
            expect((try context.execute(delete) as? NSBatchDeleteResult)?.result as? Int, equals: 2)
            try expect(context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Person")), equals: 1)
            request.includesSubentities = true
            let all = NSBatchDeleteRequest(fetchRequest: request)
            all.resultType = .resultTypeCount
            expect((try context.execute(all) as? NSBatchDeleteResult)?.result as? Int, equals: 1)
        }
    }

    @Test(arguments: [NSSQLiteStoreType, NSInMemoryStoreType] + StoreKind.serverTypes)
    func aMissingMandatoryAttributeThrowsAndNothingIsInserted(_ type: String) throws {
        let stack = try TestStack(type: type)
        let context = stack.context
        try context.run {
            var rows: [[String: Any]] = Array(repeating: ["name": "ok"], count: 400)
            rows.append(["founded": Date()])
            let error = #expect(throws: CocoaError.self) {
                try context.execute(NSBatchInsertRequest(entityName: "Company", objects: rows))
            }
            expect(error?.code.rawValue, equals: NSValidationMissingMandatoryPropertyError)
            expect(error?.validationKey, equals: "name")
            let left = try context.all("Company")
            #expect(left.isEmpty)
        }
    }

    @Test(arguments: [NSSQLiteStoreType, NSInMemoryStoreType] + StoreKind.serverTypes)
    func handlersRunUntilTheyReturnTrue(_ type: String) throws {
        let stack = try TestStack(type: type)
        let context = stack.context
        try context.run {
            var number = 0
            let dictionaries = NSBatchInsertRequest(entityName: "Person") { (row: NSMutableDictionary) in
                expect(row.count, equals: 0)
                row.setObject("d\(number)" as NSString, forKey: "name" as NSString)
                number += 1
                return number > 300
            }
            dictionaries.resultType = .count
            expect((try context.execute(dictionaries) as? NSBatchInsertResult)?.result as? Int, equals: 300)
            number = 0
            var seen: Set<ObjectIdentifier> = []
            let objects = NSBatchInsertRequest(entityName: "Employee") { (object: NSManagedObject) in
                seen.insert(ObjectIdentifier(object))
                #expect(object.managedObjectContext == nil)
                #expect(object.value(forKey: "name") == nil)
                object.setValue("o\(number)", forKey: "name")
                object.setValue(number, forKey: "salary")
                number += 1
                return number > 300
            }
            objects.resultType = .count
            expect((try context.execute(objects) as? NSBatchInsertResult)?.result as? Int, equals: 300)
            expect(seen.count, equals: 1)
            #expect(context.registeredObjects.isEmpty)
            let found = try context.all("Employee", sort: "salary")
            expect(found.map { $0.text("name") }, equals: (0..<300).map { "o\($0)" })
            try expect(context.all("Person", "name BEGINSWITH 'd'").count, equals: 300)
        }
    }

    @Test
    func fetchedResultsSeeABatchOnceItIsMerged() throws {
        let stack = try TestStack()
        let context = stack.context
        try context.run {
            try fill(context, people: 2)
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: true)]
            let results = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
            let delegate = Silence()
            results.delegate = delegate
            try results.performFetch()
            let insert = NSBatchInsertRequest(entityName: "Person", objects: [["name": "new", "age": 5]])
            insert.resultType = .objectIDs
            let inserted = try #require(
                (try context.execute(insert) as? NSBatchInsertResult)?.result as? [NSManagedObjectID])
            expect(results.fetchedObjects?.count, equals: 2)
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSInsertedObjectsKey: inserted], into: [context])
            context.processPendingChanges()
            expect(results.fetchedObjects?.map { $0.text("name") }, equals: ["n0", "n1", "new"])
            withExtendedLifetime(delegate) {}
        }
    }
}

/// A delegate that turns tracking on.
private final class Silence: NSObject, NSFetchedResultsControllerDelegate {}
