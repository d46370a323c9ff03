// Groups of texts that Swift takes for equal and SQL doesn't.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct GroupingSpellingTests {
    private let spellings = ["é", "e\u{301}", "é", "e\u{301}", "f"]

    private func rows(_ kind: StoreKind, _ prepare: (NSFetchRequest<NSDictionary>) -> Void) throws -> Int {
        let container = try kind.makeContainer()
        let context = container.newBackgroundContext()
        return try context.run { () throws in
            for spelling in spellings { _ = context.make("Person", ["name": spelling]) }
            try context.save()
            let request = NSFetchRequest<NSDictionary>(entityName: "Person")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["name"]
            prepare(request)
            return try context.fetch(request).count
        }
    }

    @Test(arguments: StoreKind.allCases) func groupsAreApart(_ kind: StoreKind) throws {
        try expect(rows(kind) { $0.propertiesToGroupBy = ["name"] }, equals: 3)
    }

    @Test(arguments: StoreKind.allCases) func distinctRowsAreApart(_ kind: StoreKind) throws {
        try expect(rows(kind) { $0.returnsDistinctResults = true }, equals: 3)
    }
}
