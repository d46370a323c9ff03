// Fetch requests as such: what they say by default, copying, other result types.

import CoreData
import Testing

@Suite struct NSFetchRequestTests {
    @Test func whatANewRequestSays() {
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Car")
        #expect(request.requestType == .fetchRequestType)
        #expect(request.entityName == "Car")
        #expect(request.entity == nil)
        #expect(request.predicate == nil)
        #expect(request.sortDescriptors == nil)
        #expect(request.fetchLimit == 0)
        #expect(request.fetchOffset == 0)
        #expect(request.fetchBatchSize == 0)
        #expect(request.resultType == .managedObjectResultType)
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
        #expect(request.entityName == "Bus")
    }

    @Test func aCopySaysTheSameAndIsApart() throws {
        let request = NSFetchRequest<NSDictionary>(entityName: "Car")
        request.resultType = .dictionaryResultType
        request.fetchLimit = 5
        request.propertiesToFetch = ["name"]
        let copy = try #require(request.copy() as? NSFetchRequest<NSDictionary>)
        #expect(copy.entityName == "Car")
        #expect(copy.resultType == .dictionaryResultType)
        #expect(copy.propertiesToFetch as? [String] == ["name"])
        copy.fetchLimit = 1
        #expect(request.fetchLimit == 5)
    }

    @Test func aRequestCanReturnSomethingElse() {
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Car")
        request.fetchOffset = 2
        let other: NSFetchRequest<NSNumber> = request.returning()
        #expect(other.entityName == "Car")
        #expect(other.fetchOffset == 2)
    }

    @Test func resultTypesHaveApplesValues() {
        #expect(NSFetchRequestResultType.managedObjectResultType.rawValue == 0)
        #expect(NSFetchRequestResultType.managedObjectIDResultType.rawValue == 1)
        #expect(NSFetchRequestResultType.dictionaryResultType.rawValue == 2)
        #expect(NSFetchRequestResultType.countResultType.rawValue == 4)
    }

    @Test func theBaseClassIsNoRequest() async {
        await #expect(processExitsWith: .failure) { _ = NSPersistentStoreRequest().requestType }
    }
}
