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

    /// The ways in which related objects leave a context together.
    enum Departure: CaseIterable {
        case deletion, deletionWithoutSave, rollback
    }

    /// Objects that left a context keep each other until its next save.
    @Test(arguments: Departure.allCases) func objectsThatLeftDoNotStay(_ departure: Departure) throws {
        let container = try StoreKind.inMemory.makeContainer(CompanyModel.make())
        let context = container.viewContext
        func leave() throws -> Left {
            let (one, other) = (context.make("Person", ["name": "A"]), context.make("Person", ["name": "B"]))
            one.setValue(other, forKey: "spouse")
            let company = context.make("Company", ["name": "C"])
            company.setValue(NSSet(objects: one, other), forKey: "people")
            if departure == .deletion { try context.save() }
            switch departure {
            case .rollback: context.rollback()
            default:
                for object in [one, other, company] { context.delete(object) }
                if departure == .deletion { try context.save() } else { context.processPendingChanges() }
            }
            #expect(one.managedObjectContext == nil)
            return Left(objects: [WeakObject(one), WeakObject(other), WeakObject(company)])
        }
        let left = try leave()
        _ = context.make("Company", ["name": "D"])
        try context.save()
        expect(left.count, equals: 0)
        let last = try leave()
        context.reset()
        expect(last.count, equals: 0)
    }

    @Test func objectsThatLeftGoWithTheirContext() throws {
        let container = try StoreKind.inMemory.makeContainer(CompanyModel.make())
        func leave() throws -> Left {
            let context = container.newBackgroundContext()
            return try context.run {
                let (one, other) = (context.make("Person"), context.make("Person"))
                one.setValue(other, forKey: "spouse")
                try context.save()
                for object in [one, other] { context.delete(object) }
                try context.save()
                return Left(objects: [WeakObject(one), WeakObject(other)])
            }
        }
        expect(try leave().count, equals: 0)
    }

    private struct Left {
        let objects: [WeakObject]

        var count: Int { objects.filter { $0.object != nil }.count }
    }

    private struct WeakObject {
        weak var object: NSManagedObject?

        init(_ object: NSManagedObject) { self.object = object }
    }
}
