// The members of relationships that nobody has read yet.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct ToManyTests {
    /// A new object that left its context still leads to what it led to, which doesn't know it any more.
    @Test(arguments: [false, true])
    func aNewObjectIsTakenOutAndAddedAgain(isDeleted: Bool) throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            _ = stack.context.make("Company", ["name": "Acme"])
            try stack.context.save()
        }
        let context = stack.another()
        try context.run { () throws in
            let company = try #require(try context.all("Company").first)
            let person = context.make("Person", ["name": "Ann", "company": company])
            if isDeleted {
                context.delete(person)
                context.processPendingChanges()
            } else {
                context.rollback()
            }
            #expect(person.managedObjectContext == nil)
            context.insert(person)
            person.setValue(nil, forKey: "company")
            person.setValue(company, forKey: "company")
            #expect(company.value(forKey: "people") as? Set<NSManagedObject> == [person])
            try context.save()
            #expect(company.value(forKey: "people") as? Set<NSManagedObject> == [person])
        }
    }
}
