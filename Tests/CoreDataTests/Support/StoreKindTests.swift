// The fixture that suites over all kinds of stores share.

import CoreData
import Foundation
import Testing

struct StoreKindTests {
    @Test(arguments: StoreKind.withObjects)
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

    @Test(arguments: StoreKind.withObjects)
    func objectsAreFoundReadAndChanged(_ kind: StoreKind) throws {
        let container = try kind.makeContainer()
        let context = container.newBackgroundContext()
        try context.run {
            let company = context.make("Company", ["name": "Acme"])
            for number in 0..<6 {
                let entity = number % 2 == 0 ? "Person" : "Employee"
                let person = context.make(entity, ["name": "n\(number)", "age": number])
                person.setValue(company, forKey: "company")
                let notes = ["c", "a", "b"].map { context.make("Note", ["text": $0]) }
                person.setValue(NSOrderedSet(array: notes), forKey: "notes")
            }
            try context.save()
        }
        let other = container.newBackgroundContext()
        try other.run {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.predicate = NSPredicate(format: "age > 0 AND company.name == 'Acme'")
            request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: false)]
            (request.fetchOffset, request.fetchLimit) = (1, 3)
            let found = try other.fetch(request)
            #expect(found.map { $0.text("name") } == ["n4", "n3", "n2"])
            #expect(try other.count(for: request) == 3)
            #expect(try other.all("Employee").count == 3)
            let notes = found[0].value(forKey: "notes") as? NSOrderedSet
            #expect(notes?.array.compactMap { ($0 as? NSManagedObject)?.text("text") } == ["c", "a", "b"])
            let company = try #require(found[0].value(forKey: "company") as? NSManagedObject)
            #expect((company.value(forKey: "people") as? NSSet)?.count == 6)
            found[0].setValue("changed", forKey: "name")
            found[1].setValue(nil, forKey: "company")
            other.delete(found[2])
            try other.save()
        }
        let third = container.newBackgroundContext()
        try third.run {
            #expect(try third.all("Person", "name == 'changed'").count == 1)
            let company = try #require(try third.all("Company").first)
            #expect((company.value(forKey: "people") as? NSSet)?.count == 4)
            // The notes of the deleted person went with it.
            #expect(try third.all("Note").count == 15)
        }
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
