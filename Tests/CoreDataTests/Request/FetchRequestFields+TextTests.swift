// Fetch requests in words.

import CoreData
import CoreDataTestSupport
import Testing

@Suite struct FetchRequestFieldsTextTests {
    @Test func requestsTellWhatTheyAskFor() {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        #expect(request.description.hasSuffix("(entity: Person; type: NSManagedObjectResultType)"))
        request.predicate = NSPredicate(format: "age > 5")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        request.fetchLimit = 3
        (request.fetchOffset, request.fetchBatchSize) = (2, 20)
        request.resultType = .dictionaryResultType
        let parts = [
            "entity: Person", "predicate: age > 5", "sortDescriptors: ((name, ascending, compare:))",
            "limit: 3", "offset: 2", "batch size: 20", "type: NSDictionaryResultType",
        ]
        #expect(request.description.hasSuffix("(" + parts.joined(separator: "; ") + ")"))
        for (type, name) in [
            (NSFetchRequestResultType.managedObjectIDResultType, "NSManagedObjectIDResultType"),
            (.countResultType, "NSCountResultType"),
        ] {
            request.resultType = type
            #expect(request.description.contains(name))
        }
    }
}
