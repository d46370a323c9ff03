// Asynchronous fetches as such: what they carry, how their result is completed.

import CoreData
import Testing

@Suite struct NSAsynchronousFetchRequestTests {
    @Test func itCarriesTheFetch() throws {
        let fetch = NSFetchRequest<NSDictionary>(entityName: "Car")
        let request = NSAsynchronousFetchRequest(fetchRequest: fetch)
        #expect(request.requestType == .fetchRequestType)
        #expect(request.fetchRequest === fetch)
        #expect(request.completionBlock == nil)
        request.estimatedResultCount = 12
        let copy = try #require(request.copy() as? NSAsynchronousFetchRequest<NSDictionary>)
        #expect(copy.estimatedResultCount == 12)
        #expect(copy.fetchRequest.entityName == "Car")
        #expect(copy.fetchRequest !== fetch)
    }

    @Test func aSaveRequestKeepsItsObjects() throws {
        let request = NSSaveChangesRequest(inserted: [], updated: nil, deleted: [], locked: nil)
        #expect(request.requestType == .saveRequestType)
        #expect(request.insertedObjects?.isEmpty == true)
        #expect(request.updatedObjects == nil)
        let copy = try #require(request.copy() as? NSSaveChangesRequest)
        #expect(copy.deletedObjects?.isEmpty == true)
        #expect(copy.lockedObjects == nil)
    }

    @Test func notificationKeysHaveApplesValues() {
        #expect(NSManagedObjectContext.NotificationKey.insertedObjects.rawValue == NSInsertedObjectsKey)
        #expect(NSManagedObjectContext.NotificationKey.updatedObjectIDs.rawValue == NSUpdatedObjectIDsKey)
        #expect(NSManagedObjectContext.NotificationKey(rawValue: "deleted") == .deletedObjects)
        #expect(
            NSManagedObjectContext.didSaveObjectsNotification.rawValue
                == "NSManagingContextDidSaveChangesNotification")
    }
}
