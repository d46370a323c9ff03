// The descriptions of batch requests, and the stores that they go to.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

struct StoreBatchTests {
    @Test
    func requestsKeepWhatTheyWereMadeWith() throws {
        let model = CompanyModel.make()
        let entity = try #require(model.entitiesByName["Company"])
        let insert = NSBatchInsertRequest(entity: entity, objects: [["name": "a"]])
        #expect(insert.entity === entity)
        expect(insert.entityName, equals: "Company")
        expect(insert.objectsToInsert?.count, equals: 1)
        expect(insert.requestType, equals: .batchInsertRequestType)
        expect(insert.resultType, equals: .statusOnly)
        let rows = NSBatchInsertRequest(entity: entity, dictionaryHandler: { _ in true })
        #expect(rows.dictionaryHandler != nil)
        #expect(rows.objectsToInsert == nil)
        let objects = NSBatchInsertRequest(entity: entity, managedObjectHandler: { _ in true })
        objects.resultType = .count
        let copy = try #require(objects.copy() as? NSBatchInsertRequest)
        #expect(copy.managedObjectHandler != nil)
        expect(copy.resultType, equals: .count)
        #expect(
            NSBatchInsertRequest(entityName: "Company", managedObjectHandler: { _ in true }).entity == nil)

        let update = NSBatchUpdateRequest(entity: entity)
        #expect(update.entity === entity)
        expect(update.entityName, equals: "Company")
        #expect(update.includesSubentities)
        #expect(update.predicate == nil)
        #expect(update.propertiesToUpdate == nil)
        expect(update.requestType, equals: .batchUpdateRequestType)
        #expect((update.copy() as? NSBatchUpdateRequest)?.entity === entity)

        let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Company")
        fetch.fetchLimit = 3
        let delete = NSBatchDeleteRequest(fetchRequest: fetch)
        fetch.fetchLimit = 4
        expect(delete.fetchRequest.fetchLimit, equals: 3)
        expect(delete.requestType, equals: .batchDeleteRequestType)
        expect((delete.copy() as? NSBatchDeleteRequest)?.fetchRequest.entityName, equals: "Company")
    }

    @Test
    func affectedStoresBoundABatch() throws {
        let stack = try TestStack()
        let coordinator = stack.coordinator
        let second = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: stack.folder.file("Second.sqlite"),
            options: nil)
        let context = stack.context
        try context.run {
            try context.batchInsert("Company", [["name": "a"]])
            let insert = NSBatchInsertRequest(entityName: "Company", objects: [["name": "b"]])
            insert.affectedStores = [second]
            insert.resultType = .objectIDs
            let result = try context.execute(insert) as? NSBatchInsertResult
            expect(result?.resultType, equals: .objectIDs)
            let identities = try #require(result?.result as? [NSManagedObjectID])
            expect(identities.map(\.persistentStore), equals: [second])
            let update = NSBatchUpdateRequest(entityName: "Company")
            update.propertiesToUpdate = ["founded": Date()]
            update.resultType = .updatedObjectsCountResultType
            update.affectedStores = [second]
            let one = try context.execute(update) as? NSBatchUpdateResult
            expect(one?.result as? Int, equals: 1)
            expect(one?.resultType, equals: .updatedObjectsCountResultType)
            update.affectedStores = nil
            expect((try context.execute(update) as? NSBatchUpdateResult)?.result as? Int, equals: 2)
            let delete = NSBatchDeleteRequest(
                fetchRequest: NSFetchRequest<any NSFetchRequestResult>(entityName: "Company"))
            delete.affectedStores = [second]
            delete.resultType = .resultTypeCount
            let gone = try context.execute(delete) as? NSBatchDeleteResult
            expect(gone?.result as? Int, equals: 1)
            expect(gone?.resultType, equals: .resultTypeCount)
            try expect(context.all("Company").map { $0.text("name") }, equals: ["a"])
        }
    }

    @Test
    func storesOfClientsRefuseBatches() throws {
        for kind in [StoreKind.atomic, .incremental] {
            let container = try kind.makeContainer()
            let context = container.newBackgroundContext()
            try context.run {
                let error = #expect(throws: CocoaError.self) {
                    try context.batchInsert("Company", [["name": "a"]])
                }
                expect(error?.code.rawValue, equals: NSPersistentStoreUnsupportedRequestTypeError)
            }
        }
    }

    @Test
    func aRequestWithoutEntityInsertsNothing() {
        let request = NSBatchInsertRequest()
        #expect(request.entityName.isEmpty && request.objectsToInsert?.isEmpty == true)
    }

    @Test
    func copiesOfRequestsSayTheSame() throws {
        let insert = NSBatchInsertRequest(entityName: "Company", objects: [["name": "a"]])
        expect((insert.copy(with: nil) as? NSBatchInsertRequest)?.objectsToInsert?.count, equals: 1)
        let update = NSBatchUpdateRequest(entityName: "Company")
        expect(update.resultType, equals: .statusOnlyResultType)
        expect((update.copy(with: nil) as? NSBatchUpdateRequest)?.entityName, equals: "Company")
        let delete = NSBatchDeleteRequest(
            fetchRequest: NSFetchRequest<any NSFetchRequestResult>(entityName: "Company"))
        expect(delete.resultType, equals: .resultTypeStatusOnly)
        expect((delete.copy(with: nil) as? NSBatchDeleteRequest)?.fetchRequest.entityName, equals: "Company")
    }

    @Test
    func whatABatchCantMeanThrows() throws {
        let context = try TestStack().context
        let unknown = NSBatchUpdateRequest(entityName: "Nobody")
        unknown.propertiesToUpdate = ["name": "x"]
        let nonsense = NSBatchUpdateRequest(entityName: "Person")
        nonsense.propertiesToUpdate = ["nonsense": "x"]
        let filtered = NSBatchUpdateRequest(entityName: "Person")
        filtered.propertiesToUpdate = ["name": "x"]
        filtered.predicate = NSPredicate(format: "nonsense == 1")
        let requests: [NSPersistentStoreRequest] = [
            NSBatchUpdateRequest(entityName: "Person"), unknown, nonsense, filtered,
            NSBatchInsertRequest(entityName: "Nobody", objects: [["name": "x"]]),
            NSBatchInsertRequest(entityName: "Person", objects: [["nonsense": "x"]]),
            NSBatchDeleteRequest(
                fetchRequest: NSFetchRequest<any NSFetchRequestResult>(entityName: "Nobody")),
        ]
        for request in requests {
            let thrown = error { try context.run { _ = try context.execute(request) } }
            expect(thrown?.domain, equals: NSCocoaErrorDomain, "\(request)")
        }
        #expect(error { try context.run { _ = try context.execute(requests[1]) } }?.code == NSCoreDataError)
    }
}
