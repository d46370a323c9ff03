// A fetch sees unsaved changes and tells nobody of them.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct FetchingWithoutTellingTests {
    private func people(_ context: NSManagedObjectContext) throws -> [NSManagedObject] {
        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person"))
    }

    @Test(arguments: StoreKind.allCases) func observersAreToldAtTheEndOfTheEvent(_ kind: StoreKind) throws {
        let container = try kind.makeContainer()
        let context = container.newBackgroundContext()
        try context.run { () throws in
            let posted = Posted(.NSManagedObjectContextObjectsDidChange, context)
            _ = context.make("Person", ["name": "Ada"])
            #expect(try people(context).count == 1)
            #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Person")) == 1)
            #expect(posted.count == 0)
            context.processPendingChanges()
            #expect(posted.count == 1)
        }
    }

    @Test(arguments: StoreKind.allCases) func deletionsHaveReachedRelatedObjects(_ kind: StoreKind) throws {
        let container = try kind.makeContainer()
        let context = container.newBackgroundContext()
        try context.run { () throws in
            let company = context.make("Company", ["name": "Acme"])
            let person = context.make("Person", ["name": "Ada"])
            person.setValue(company, forKey: "company")
            try context.save()
            let posted = Posted(.NSManagedObjectContextObjectsDidChange, context)
            context.delete(company)
            let alone = NSFetchRequest<NSManagedObject>(entityName: "Person")
            alone.predicate = NSPredicate(format: "company == nil")
            #expect(try context.fetch(alone) == [person])
            #expect(posted.count == 0)
            try context.save()
            #expect(try people(context).count == 1)
        }
    }
}
