// The empty initialisers that classes of Apple's inherit, deprecated or not.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct EmptyInitializersTests {
    @available(*, deprecated)
    private func confined() -> NSManagedObjectContext { NSManagedObjectContext() }

    private protocol Maker {
        func make() -> NSManagedObjectContext
    }

    private struct Confined: Maker {
        @available(*, deprecated)
        func make() -> NSManagedObjectContext { NSManagedObjectContext() }
    }

    @Test func aContextWithoutAType() throws {
        let stack = try TestStack()
        let maker: any Maker = Confined()
        let context = maker.make()
        expect(context.concurrencyType, equals: .confinementConcurrencyType)
        context.persistentStoreCoordinator = stack.coordinator
        _ = context.make("Person", ["name": "Ann"])
        try context.save()
        try expect(context.all("Person").count, equals: 1)
    }

    @Test func descriptionsAndRequests() {
        #expect(NSFetchRequest<NSManagedObject>().entityName == nil)
        #expect(NSEntityDescription().name == nil)
        #expect(NSManagedObjectModel().entities.isEmpty)
        #expect(NSMappingModel().entityMappings?.isEmpty ?? true)
        #expect(NSEntityMapping().name?.isEmpty ?? true)
        #expect(NSPropertyMapping().name?.isEmpty ?? true)
        expect(NSPersistentStoreDescription().url?.path, equals: "/dev/null")
        #expect(NSPersistentStoreRequest().affectedStores == nil)
    }
}
