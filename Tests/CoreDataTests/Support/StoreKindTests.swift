// The fixture that suites over all kinds of stores share.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

struct StoreKindTests {
    @Test(arguments: StoreKind.withObjects)
    func aContainerHoldsAStoreOfTheKind(_ kind: StoreKind) throws {
        let container = try kind.makeContainer()
        expect(container.store.type, equals: kind.type)
        let context = container.newBackgroundContext()
        try context.run {
            _ = context.make("Company", ["name": "Acme"])
            try context.save()
        }
        let other = container.newBackgroundContext()
        try expect(other.run { try other.all("Company").map { $0.text("name") } }, equals: ["Acme"])
    }
}
