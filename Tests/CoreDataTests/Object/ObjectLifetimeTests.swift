// What outlives that which it refers to without counting. The address sanitizer sees here what a wrong assumption does.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct ObjectLifetimeTests {
    /// What a closure gives of a stack that is gone afterwards.
    private func left<Kept>(_ body: (NSManagedObjectContext) throws -> Kept) throws -> Kept {
        let container = try StoreKind.inMemory.makeContainer(CompanyModel.make())
        return try body(container.viewContext)
    }

    @Test func anObjectOutlivesItsStack() throws {
        let object = try left { $0.make("Company", ["name": "A"]) }
        #expect(object.managedObjectContext == nil)
        #expect(object.entity.name == "Company" && object.text("name") == "A")
        object.setValue("B", forKey: "name")
        expect(object.text("name"), equals: "B")
    }

    @Test func anObjectOfASlabOutlivesItsStack() throws {
        let object = try left { context in
            let company = context.make("Company", ["name": "A"])
            try context.save()
            context.refresh(company, mergeChanges: false)
            #expect(company.isFault && company.text("name") == "A")
            return company
        }
        #expect(object.managedObjectContext == nil && object.text("name") == "A")
    }

    @Test func anIDOutlivesItsStack() throws {
        let id = try left { context in
            let company = context.make("Company", ["name": "A"])
            try context.save()
            return company.objectID
        }
        #expect(id.entity.name == "Company" && !id.isTemporaryID)
        #expect(id.uriRepresentation().pathComponents.contains("Company"))
    }

    @Test func anEntityOutlivesTheModelInUse() throws {
        let entity = try left { $0.make("Company", ["name": "A"]).entity }
        #expect(
            entity.name == "Company" && entity.attributesByName["name"]?.attributeType == .stringAttributeType
        )
    }

    @Test func aMutableSetKeepsItsOwner() throws {
        let container = try StoreKind.inMemory.makeContainer(CompanyModel.make())
        let context = container.viewContext
        func people() throws -> NSMutableSet {
            let company = context.make("Company", ["name": "A"])
            try context.save()
            return company.mutableSetValue(forKey: "people")
        }
        let set = try people()
        set.add(context.make("Person", ["name": "P"]))
        expect(set.count, equals: 1)
        try context.save()
        try expect(context.all("Person", "company.name = 'A'").count, equals: 1)
    }
}
