// Composite attributes that two contexts changed: each is one property, and merges whole.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct CompositeMergeTests {
    private static func model() -> NSManagedObjectModel {
        let address = NSCompositeAttributeDescription(
            "address",
            elements: NSAttributeDescription.all(
                ("city", .stringAttributeType), ("zip", .integer32AttributeType)))
        let place = NSEntityDescription(
            "Place", NSAttributeDescription.all(("name", .stringAttributeType)) + [address])
        let model = NSManagedObjectModel()
        model.entities = [place]
        return model
    }

    private let stack: TestStack
    private let (context, other): (NSManagedObjectContext, NSManagedObjectContext)
    private let (mine, theirs): (NSManagedObject, NSManagedObject)

    /// One context sets the city, the other one, which saves first, the number.
    init() throws {
        stack = try TestStack(model: Self.model())
        (context, other) = (stack.context, stack.another())
        mine = try stack.context.run { [context] () throws in
            let place = context.make("Place", ["name": "A", "address": ["city": "Ulm"]])
            try context.save()
            place.setValue(["city": "Bonn"], forKey: "address")
            return place
        }
        theirs = try other.run { [other] () throws in
            let place = try #require(try other.all("Place").first)
            place.setValue(["city": "Ulm", "zip": 89073], forKey: "address")
            place.setValue("B", forKey: "name")
            try other.save()
            return place
        }
    }

    private func address(_ object: NSManagedObject) -> NSDictionary? {
        object.value(forKey: "address") as? NSDictionary
    }

    private func stored() throws -> NSDictionary? {
        let fresh = stack.another()
        return try fresh.run { address(try #require(try fresh.all("Place").first)) }
    }

    @Test func theObjectsTrump() throws {
        try context.run { () throws in
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try context.save()
            expect(address(mine), equals: ["city": "Bonn"])
            expect(mine.text("name"), equals: "B")
        }
        expect(try stored(), equals: ["city": "Bonn"])
    }

    @Test func theStoresTrump() throws {
        try context.run { () throws in
            context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
            mine.setValue("C", forKey: "name")
            try context.save()
            expect(address(mine), equals: ["city": "Ulm", "zip": 89073])
        }
        expect(try stored(), equals: ["city": "Ulm", "zip": 89073])
    }

    @Test func refreshingKeepsUnsavedOnes() throws {
        try context.run { () throws in
            context.refresh(mine, mergeChanges: true)
            expect(address(mine), equals: ["city": "Bonn"])
            expect(mine.text("name"), equals: "B")
            try context.save()
        }
        expect(try stored(), equals: ["city": "Bonn"])
    }

    @Test func aChildsGoesToItsParentWhole() throws {
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = other
        try child.run { () throws in
            let place = try #require(try child.all("Place").first)
            place.setValue(["city": "Graz", "zip": 89073], forKey: "address")
            other.performAndWait { theirs.setValue(["city": "Wien", "zip": 1010], forKey: "address") }
            try child.save()
        }
        try other.run { () throws in expect(address(theirs), equals: ["city": "Graz", "zip": 89073]) }
    }
}
