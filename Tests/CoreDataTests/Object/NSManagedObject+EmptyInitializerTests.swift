// Objects that are made by `init()`, as code for Apple's systems makes them by mistake or as placeholders.

import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Synchronization
import Testing

@testable import CoreData

private class Placeholder: NSManagedObject {
    var notes = ["first"]
    convenience init(note: String) {
        self.init()
        notes = [note]
    }
}

/// Overrides the designated initialiser: the others are inherited all the same.
private final class Careful: NSManagedObject {
    let number: Int
    override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        number = 7
        super.init(entity: entity, insertInto: context)
    }
}

@Suite(.serialized) struct EmptyInitializerTests {
    private func model(of objectClass: NSManagedObject.Type) -> NSManagedObjectModel {
        let (entity, title) = (NSEntityDescription(), NSAttributeDescription())
        (title.name, title.attributeType, title.defaultValue) = ("title", .stringAttributeType, "none")
        (entity.name, entity.managedObjectClassName) = ("Placeholder", String(reflecting: objectClass))
        entity.properties = [title]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return model
    }

    private func logged<Result>(_ body: () throws -> Result) rethrows -> (Result, [String]) {
        let lines = Mutex<[String]>([])
        let sink = Log.Sink { line in lines.withLock { $0.append(line) } }
        let result = try Log.$sink.withValue(sink, operation: body)
        return (result, lines.withLock { $0 })
    }

    @Test func theObjectIsOfItsClassesEntityAndOutsideAnyContext() throws {
        let stack = try TestStack(model: model(of: Placeholder.self))
        let (object, lines) = logged { Placeholder(note: "second") }
        #expect(lines.count == 1 && lines[0].contains("Placeholder was made by init()"))
        #expect(object.entity.name == "Placeholder" && object.managedObjectContext == nil)
        #expect(object.notes == ["second"] && object.value(forKey: "title") as? String == "none")
        object.setValue("x", forKey: "title")
        expect(object.value(forKey: "title") as? String, equals: "x")
        #expect(try stack.context.run { () throws in stack.context.insertedObjects.isEmpty })
    }

    @Test func initialisersAreInheritedBesideAnOverride() throws {
        let stack = try TestStack(model: model(of: Careful.self))
        expect(logged { Careful() }.0.number, equals: 7)
        try stack.context.run { () throws in expect(Careful(context: stack.context).number, equals: 7) }
    }

    @Test func withoutAnEntityTheObjectHasNoProperties() throws {
        let (object, lines) = logged { NSManagedObject() }
        #expect(lines.count == 1 && object.entity.properties.isEmpty && !object.isInserted)
        #expect(object.description.contains("NSManagedObject"))
        class Unknown: NSManagedObject {}
        let (unknown, said) = logged { Unknown() }
        #expect(said.count == 2 && unknown.entity.properties.isEmpty && unknown.managedObjectContext == nil)
        // No other object gets the entity that was made for it.
        #expect(logged { Unknown.entity() }.0.name == nil)
    }
}
