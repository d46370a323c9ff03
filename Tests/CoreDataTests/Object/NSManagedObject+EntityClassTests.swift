// Objects that are made of a superclass of their entity's class.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

private class EntityKept: NSManagedObject {
    var title: String? { value(forKey: "name") as? String }

    override func awakeFromInsert() {
        super.awakeFromInsert()
        setValue("awake", forKey: "name")
    }
}

private final class EntityBelow: EntityKept {
    override func validateForInsert() throws { throw CocoaError(.validationStringTooLong) }
}

private final class EntityStoring: NSManagedObject {
    var notes = ["first"]
}

@Suite struct NSManagedObjectEntityClassTests {
    private let stack: TestStack

    init() throws {
        let model = NSManagedObjectModel()
        model.entities = [EntityKept.self, EntityBelow.self, EntityStoring.self, NSManagedObject.self].map {
            (objectClass: NSManagedObject.Type) in
            let entity = NSEntityDescription()
            entity.name = String(describing: objectClass)
            entity.managedObjectClassName = String(describing: objectClass)
            let name = NSAttributeDescription()
            name.name = "name"
            name.attributeType = .stringAttributeType
            entity.properties = [name]
            return entity
        }
        stack = try TestStack(model: model)
    }

    private func entity(_ name: String) throws -> NSEntityDescription {
        try #require(NSEntityDescription.entity(forEntityName: name, in: stack.context))
    }

    @Test func anObjectIsOfItsEntitysClass() throws {
        try stack.context.run { () throws in
            let made = NSManagedObject(entity: try entity("EntityKept"), insertInto: stack.context)
            expect((made as? EntityKept)?.title, equals: "awake")
            #expect(type(of: made) == EntityKept.self)
            try stack.context.save()
            let found = try stack.context.fetch(NSFetchRequest<EntityKept>(entityName: "EntityKept"))
            #expect(found.count == 1 && found[0] === made)
            let alone = NSManagedObject(entity: try entity("EntityKept"), insertInto: nil)
            #expect(alone is EntityKept)
        }
    }

    @Test func theClassOfTheEntitySupersedesOneAbove() throws {
        try stack.context.run { () throws in
            let made = EntityKept(entity: try entity("EntityBelow"), insertInto: stack.context)
            #expect(made is EntityBelow && made.title == "awake")
            #expect(throws: CocoaError.self) { try stack.context.save() }
            // A class that isn't above the entity's is the client's choice.
            let other = EntityKept(
                entity: try entity(String(describing: NSManagedObject.self)), insertInto: stack.context)
            #expect(type(of: other) == EntityKept.self)
        }
    }

    @Test func storedPropertiesGetTheirValuesFromTheirOwnInitialiser() throws {
        try stack.context.run { () throws in
            let entity = try entity("EntityStoring")
            let made = NSManagedObject(entity: entity, insertInto: stack.context)
            #expect(type(of: made) == NSManagedObject.self)
            expect(EntityStoring(entity: entity, insertInto: stack.context).notes, equals: ["first"])
            expect((stack.context.make("EntityStoring") as? EntityStoring)?.notes, equals: ["first"])
        }
    }

    @Test func objectsGoWithTheirClass() throws {
        weak var gone: NSManagedObject?
        try stack.context.run { () throws in
            let made = NSManagedObject(entity: try entity("EntityKept"), insertInto: nil)
            gone = made
            #expect(gone is EntityKept)
        }
        #expect(gone == nil)
    }
}
