// Asynchronous fetches as such: what they carry, how their result is completed.

import CoreData
import CoreDataTestSupport
import Testing

@Suite struct NSAsynchronousFetchRequestTests {
    @Test func itCarriesTheFetch() throws {
        let fetch = NSFetchRequest<NSDictionary>(entityName: "Car")
        let request = NSAsynchronousFetchRequest(fetchRequest: fetch)
        expect(request.requestType, equals: .fetchRequestType)
        #expect(request.fetchRequest === fetch)
        #expect(request.completionBlock == nil)
        request.estimatedResultCount = 12
        let copy = try #require(request.copy() as? NSAsynchronousFetchRequest<NSDictionary>)
        expect(copy.estimatedResultCount, equals: 12)
        expect(copy.fetchRequest.entityName, equals: "Car")
        #expect(copy.fetchRequest !== fetch)
    }

    @Test func aSaveRequestKeepsItsObjects() throws {
        let request = NSSaveChangesRequest(inserted: [], updated: nil, deleted: [], locked: nil)
        expect(request.requestType, equals: .saveRequestType)
        expect(request.insertedObjects?.isEmpty, equals: true)
        #expect(request.updatedObjects == nil)
        let copy = try #require(request.copy() as? NSSaveChangesRequest)
        expect(copy.deletedObjects?.isEmpty, equals: true)
        #expect(copy.lockedObjects == nil)
    }

    @Test func notificationKeysHaveApplesValues() {
        expect(NSManagedObjectContext.NotificationKey.insertedObjects.rawValue, equals: NSInsertedObjectsKey)
        expect(
            NSManagedObjectContext.NotificationKey.updatedObjectIDs.rawValue, equals: NSUpdatedObjectIDsKey)
        expect(NSManagedObjectContext.NotificationKey(rawValue: "deleted"), equals: .deletedObjects)
        expect(
            NSManagedObjectContext.didSaveObjectsNotification.rawValue,
            equals: "NSManagingContextDidSaveChangesNotification")
    }
}
