// The fixture that suites over all kinds of stores share.

import CoreData
import Foundation
import Testing

struct StoreKindTests {
    @Test(arguments: StoreKind.allCases)
    func aContainerHoldsAStoreOfTheKind(_ kind: StoreKind) throws {
        let container = try kind.makeContainer()
        #expect(container.store.type == kind.type)
        let context = container.newBackgroundContext()
        try context.run {
            _ = context.make("Company", ["name": "Acme"])
            try context.save()
        }
        let other = container.newBackgroundContext()
        #expect(try other.run { try other.all("Company").map { $0.text("name") } } == ["Acme"])
    }

    @Test(arguments: StoreKind.allCases.filter(\.hasFile))
    func aFileCanBeOpenedAgain(_ kind: StoreKind) throws {
        let container = try kind.makeContainer()
        let context = container.newBackgroundContext()
        try context.run {
            _ = context.make("Company", ["name": "Acme"])
            try context.save()
        }
        let again = try kind.makeContainer(reopening: container)
        #expect(again.store.identifier == container.store.identifier)
        let other = again.newBackgroundContext()
        #expect(try other.run { try other.all("Company").map { $0.text("name") } } == ["Acme"])
    }
}
