// Requests are copied and archived.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct RequestCodingTests {
    private typealias Request = NSFetchRequest<NSManagedObject>

    @Test func aFetchRequestCodesItself() throws {
        let request = Request(entityName: "Car")
        request.fetchLimit = 3
        request.predicate = NSPredicate(format: "doors > 2")
        let archiver = NSKeyedArchiver(requiringSecureCoding: false)
        request.encode(with: archiver)
        archiver.finishEncoding()
        let reader = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
        reader.requiresSecureCoding = false
        let back = try #require(Request(coder: reader))
        #expect(back.entityName == "Car" && back.fetchLimit == 3)
        expect(back.predicate, equals: request.predicate)
        // Generic classes have no name in archives: all requests share one that isn't generic.
        let other = NSFetchRequest<NSNumber>(entityName: "Car")
        expect(ObjectIdentifier(request.classForCoder), equals: ObjectIdentifier(other.classForCoder))
        #expect(ObjectIdentifier(request.classForCoder) != ObjectIdentifier(Request.self))
    }

    @Test func copiesAreApart() throws {
        let request = Request(entityName: "Car")
        let copy = try #require(request.copy(with: nil) as? Request)
        copy.fetchLimit = 9
        #expect(request.fetchLimit == 0 && copy.entityName == "Car")
        let asynchronous = NSAsynchronousFetchRequest<NSManagedObject>(fetchRequest: request)
        asynchronous.estimatedResultCount = 4
        let other = try #require(asynchronous.copy(with: nil) as? NSAsynchronousFetchRequest<NSManagedObject>)
        #expect(other.estimatedResultCount == 4 && other !== asynchronous)
        let save = NSSaveChangesRequest(inserted: [], updated: nil, deleted: nil, locked: nil)
        let same = try #require(save.copy(with: nil) as? NSSaveChangesRequest)
        #expect(same.insertedObjects == [] && same.updatedObjects == nil)
        let base: NSPersistentStoreRequest = request
        expect((base.copy(with: nil) as? Request)?.entityName, equals: "Car")
    }

    @Test func typesHaveApplesNumbers() {
        let types: [NSPersistentStoreRequestType] = [
            .fetchRequestType, .saveRequestType, .batchInsertRequestType, .batchUpdateRequestType,
            .batchDeleteRequestType,
        ]
        expect(types.map(\.rawValue), equals: [1, 2, 5, 6, 7])
        expect(NSFetchRequestResultType(rawValue: 2), equals: .dictionaryResultType)
    }

    @Test func aSaveIsExecutedAsARequest() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: CompanyModel.make())
        try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
            let request = NSSaveChangesRequest(inserted: [person], updated: nil, deleted: nil, locked: nil)
            let result: NSPersistentStoreResult = try context.execute(request)
            #expect(type(of: result) == NSPersistentStoreResult.self)
            #expect(!person.objectID.isTemporaryID && !context.hasChanges)
        }
        expect(NSPersistentStoreResult().isEqual(NSPersistentStoreResult()), equals: false)
    }
}
