// Fetch requests as such: what they say by default, copying, other result types.

import CoreData
import CoreDataTestSupport
import Testing

@Suite struct NSFetchRequestTests {
    @Test func whatANewRequestSays() {
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Car")
        expect(request.requestType, equals: .fetchRequestType)
        expect(request.entityName, equals: "Car")
        #expect(request.entity == nil)
        #expect(request.predicate == nil)
        #expect(request.sortDescriptors == nil)
        expect(request.fetchLimit, equals: 0)
        expect(request.fetchOffset, equals: 0)
        expect(request.fetchBatchSize, equals: 0)
        expect(request.resultType, equals: .managedObjectResultType)
        #expect(request.includesSubentities)
        #expect(request.includesPropertyValues)
        #expect(request.includesPendingChanges)
        #expect(request.returnsObjectsAsFaults)
        #expect(!request.returnsDistinctResults)
        #expect(!request.shouldRefreshRefetchedObjects)
        #expect(request.propertiesToFetch == nil)
        #expect(request.propertiesToGroupBy == nil)
        #expect(request.havingPredicate == nil)
        #expect(request.relationshipKeyPathsForPrefetching == nil)
    }

    @Test func theEntitysNameCounts() {
        let request = NSFetchRequest<NSDictionary>(entityName: "Car")
        request.entity = NSEntityDescription("Bus")
        expect(request.entityName, equals: "Bus")
    }

    @Test func aCopySaysTheSameAndIsApart() throws {
        let request = NSFetchRequest<NSDictionary>(entityName: "Car")
        request.resultType = .dictionaryResultType
        request.fetchLimit = 5
        request.propertiesToFetch = ["name"]
        let copy = try #require(request.copy() as? NSFetchRequest<NSDictionary>)
        expect(copy.entityName, equals: "Car")
        expect(copy.resultType, equals: .dictionaryResultType)
        expect(copy.propertiesToFetch as? [String], equals: ["name"])
        copy.fetchLimit = 1
        expect(request.fetchLimit, equals: 5)
    }

    @Test func aRequestCanReturnSomethingElse() {
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Car")
        request.fetchOffset = 2
        let other: NSFetchRequest<NSNumber> = request.returning()
        expect(other.entityName, equals: "Car")
        expect(other.fetchOffset, equals: 2)
    }

    @Test func aRequestThatReturnsSomethingElseIsTheSame() throws {
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Car")
        let other = request.returning(NSNumber.self)
        other.fetchLimit = 5
        request.resultType = .countResultType
        #expect(request.fetchLimit == 5 && other.resultType == .countResultType)
        let third = try #require(NSPersistentStoreRequest.fetchRequest(other, returning: NSDictionary.self))
        third.fetchOffset = 3
        expect(request.fetchOffset, equals: 3)
        let copy = try #require(other.copy() as? NSFetchRequest<NSNumber>)
        copy.fetchLimit = 1
        expect(request.fetchLimit, equals: 5)
    }

    @Test func namesOfPropertiesAreReadAsDescriptions() throws {
        let entity = NSEntityDescription()
        let attribute = NSAttributeDescription()
        attribute.name = "doors"
        entity.name = "Car"
        entity.properties = [attribute]
        let request = NSFetchRequest<NSDictionary>(entityName: "Car")
        request.propertiesToFetch = ["doors", "owner.name"]
        request.propertiesToGroupBy = ["doors"]
        expect(request.propertiesToGroupBy as? [String], equals: ["doors"])
        request.entity = entity
        expect(request.propertiesToGroupBy as? [NSAttributeDescription], equals: [attribute])
        #expect(request.propertiesToFetch?.first as? NSAttributeDescription === attribute)
        expect(request.propertiesToFetch?.last as? String, equals: "owner.name")
    }

    @Test func valuesAreAskedWhetherTheyAreRequests() throws {
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Car")
        request.fetchOffset = 2
        let other = try #require(NSPersistentStoreRequest.fetchRequest(request, returning: NSNumber.self))
        #expect(other.entityName == "Car" && other.fetchOffset == 2)
        #expect(NSPersistentStoreRequest.fetchRequest(other, returning: NSNumber.self) === other)
        #expect(
            NSPersistentStoreRequest.fetchRequest(
                NSBatchDeleteRequest(objectIDs: []), returning: NSNumber.self) == nil)
        #expect(NSPersistentStoreRequest.fetchRequest(nil, returning: NSNumber.self) == nil)
    }

    /// What a store's `execute(_:with:)` does with its request.
    @Test func aStoresRequestIsOneOfObjects() async {
        let request = NSFetchRequest<NSNumber>(entityName: "Car")
        let stores: NSPersistentStoreRequest = request
        expect(stores.returning(NSManagedObject.self).entityName, equals: "Car")
        await #expect(processExitsWith: .failure) {
            let request: NSPersistentStoreRequest = NSBatchDeleteRequest(objectIDs: [])
            _ = request.returning(NSNumber.self)
        }
    }

    @Test func resultTypesHaveApplesValues() {
        expect(NSFetchRequestResultType.managedObjectResultType.rawValue, equals: 0)
        expect(NSFetchRequestResultType.managedObjectIDResultType.rawValue, equals: 1)
        expect(NSFetchRequestResultType.dictionaryResultType.rawValue, equals: 2)
        expect(NSFetchRequestResultType.countResultType.rawValue, equals: 4)
    }

    @Test func theBaseClassIsNoRequest() async {
        await #expect(processExitsWith: .failure) { _ = NSPersistentStoreRequest().requestType }
    }
}
