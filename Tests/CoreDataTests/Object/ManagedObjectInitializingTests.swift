// Classes whose initialisers are written in each of the forms that Apple's framework takes, and code that makes objects
// of classes it doesn't know.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

/// No initialiser of its own; a stored property, a convenience initialiser and factories.
private class FormsBase: NSManagedObject {
    var notes = ["first"]

    convenience init(name: String, in context: NSManagedObjectContext) {
        self.init(context: context)
        setValue(name, forKey: "name")
    }

    class func made(in context: NSManagedObjectContext) -> Self { Self(context: context) }
    class func madeByInit(in context: NSManagedObjectContext) -> Self { self.init(context: context) }
    class func madeOf(_ entity: NSEntityDescription, in context: NSManagedObjectContext) -> Self {
        Self(entity: entity, insertInto: context)
    }
}

/// Overrides the designated initialiser without `required`.
private final class FormsOverriding: FormsBase {
    let number: Int

    override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        number = 7
        super.init(entity: entity, insertInto: context)
    }
}

/// Keeps others from calling the initialiser.
private final class FormsHiding: NSManagedObject {
    private override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        super.init(entity: entity, insertInto: context)
    }
}

/// A designated initialiser of its own beside an override.
private final class FormsOwn: NSManagedObject {
    let origin: String

    init(origin: String, context: NSManagedObjectContext) {
        self.origin = origin
        super.init(entity: Self.entity(), insertInto: context)
    }

    override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        origin = "store"
        super.init(entity: entity, insertInto: context)
    }
}

/// Only a designated initialiser of its own: such a class can't be fetched.
private final class FormsUnfetchable: NSManagedObject {
    let origin: String

    init(origin: String, entity: NSEntityDescription, context: NSManagedObjectContext?) {
        self.origin = origin
        super.init(entity: entity, insertInto: context)
    }
}

private protocol Creatable: NSManagedObject {}
extension Creatable {
    static func created(in context: NSManagedObjectContext) -> Self { Self(context: context) }
}
extension FormsBase: Creatable {}

private func make<T: NSManagedObject>(_ type: T.Type, in context: NSManagedObjectContext) -> T {
    T(context: context)
}
private func make<T>(of type: T.Type, _ entity: NSEntityDescription) -> T where T: NSManagedObject {
    type.init(entity: entity, insertInto: nil)
}

@Suite(.serialized) struct ManagedObjectInitializingTests {
    private let stack: TestStack

    init() throws {
        let model = NSManagedObjectModel()
        model.entities = [
            FormsBase.self, FormsOverriding.self, FormsHiding.self, FormsOwn.self, FormsUnfetchable.self,
        ].map { (objectClass: NSManagedObject.Type) in
            objectClass.registerClass()
            let entity = NSEntityDescription()
            entity.name = String(describing: objectClass)
            entity.managedObjectClassName = "." + String(describing: objectClass)
            let name = NSAttributeDescription()
            name.name = "name"
            name.attributeType = .stringAttributeType
            entity.properties = [name]
            return entity
        }
        stack = try TestStack(model: model)
    }

    @Test func aClassIsMadeByItsNameAsSelfAndAsAGenericType() throws {
        try stack.context.run { () throws in
            let made = [
                FormsBase(context: stack.context), FormsBase.made(in: stack.context),
                FormsBase.madeByInit(in: stack.context), make(FormsBase.self, in: stack.context),
                FormsBase.created(in: stack.context), FormsBase.init(context: stack.context),
                FormsBase(name: "x", in: stack.context),
            ]
            #expect(made.allSatisfy { type(of: $0) == FormsBase.self && $0.notes == ["first"] })
            #expect(made.allSatisfy { $0.managedObjectContext === stack.context && $0.isInserted })
            expect(made.last?.value(forKey: "name") as? String, equals: "x")
            #expect(Set(made).count == 7 && stack.context.insertedObjects.count == 7)
        }
    }

    @Test func anInheritedFactoryMakesTheSubclass() throws {
        try stack.context.run { () throws in
            let made = [
                FormsOverriding.made(in: stack.context), FormsOverriding.madeByInit(in: stack.context),
                FormsOverriding.created(in: stack.context), make(FormsOverriding.self, in: stack.context),
            ]
            #expect(made.allSatisfy { $0.number == 7 && $0.notes == ["first"] })
            #expect(made.allSatisfy { $0.entity.name == "FormsOverriding" })
            let entity = try #require(
                NSEntityDescription.entity(forEntityName: "FormsOverriding", in: stack.context))
            expect(FormsOverriding.madeOf(entity, in: stack.context).number, equals: 7)
            expect(make(of: FormsOverriding.self, entity).number, equals: 7)
        }
    }

    @Test func aClassInAVariableMakesItsOwnObjects() throws {
        try stack.context.run { () throws in
            let types: [NSManagedObject.Type] = [
                FormsBase.self, FormsOverriding.self, FormsHiding.self, FormsOwn.self,
            ]
            for objectClass in types {
                let name = String(describing: objectClass)
                let object = objectClass.init(context: stack.context)
                #expect(type(of: object) == objectClass && object.entity.name == name)
                let entity = try #require(NSEntityDescription.entity(forEntityName: name, in: stack.context))
                let other = objectClass.init(entity: entity, insertInto: stack.context)
                #expect(type(of: other) == objectClass && other.managedObjectContext === stack.context)
                #expect(type(of: make(of: objectClass, entity)) == objectClass)
            }
        }
    }

    @Test func fetchesRunTheOverride() throws {
        let stack = self.stack
        try stack.context.run { () throws in
            _ = FormsOverriding(context: stack.context)
            let own = FormsOwn(origin: "client", context: stack.context)
            #expect(own.origin == "client" && own.isInserted)
            _ = FormsHiding(context: stack.context)
            try stack.context.save()
        }
        let other = stack.another()
        try other.run { () throws in
            let overriding = try other.fetch(NSFetchRequest<FormsOverriding>(entityName: "FormsOverriding"))
            #expect(overriding.map(\.number) == [7] && overriding.map(\.notes) == [["first"]])
            let own = try other.fetch(NSFetchRequest<FormsOwn>(entityName: "FormsOwn"))
            expect(own.map(\.origin), equals: ["store"])
            try expect(other.fetch(NSFetchRequest<FormsHiding>(entityName: "FormsHiding")).count, equals: 1)
        }
    }

    @Test func anObjectMadeByItsClassIsReleased() throws {
        weak var context: NSManagedObjectContext?
        weak var object: NSManagedObject?
        do {
            let made = stack.another()
            context = made
            made.performAndWait {
                let types: [NSManagedObject.Type] = [FormsOverriding.self]
                let inserted = types[0].init(context: made)
                object = inserted
                made.delete(inserted)
            }
            made.performAndWait { made.reset() }
        }
        #expect(object == nil && context == nil)
    }

    @Test func aClassWithoutTheInitializerEndsTheProcessWithItsName() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let suite = try ManagedObjectInitializingTests()
            suite.stack.context.performAndWait {
                _ = NSEntityDescription.insertNewObject(
                    forEntityName: "FormsUnfetchable", into: suite.stack.context)
            }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("FormsUnfetchable"))
    }
}
