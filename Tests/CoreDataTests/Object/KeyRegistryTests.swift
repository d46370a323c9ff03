import CoreData
import CoreDataTestSupport
import Testing

/// A class whose accessors are all stated by key.
private final class Badge: NSManagedObject {
    var note = "kept"
    nonisolated(unsafe) static var setterCalls = 0

    enum Shape: String { case round, square }
    var shape: Shape? {
        get { Shape(rawValue: note) }
        set { note = newValue?.rawValue ?? "none" }
    }

    override class func registerKeys(in keys: inout KeyRegistry) {
        super.registerKeys(in: &keys)
        keys.getter("title") { (badge: Badge) in
            "<\(badge.primitiveValue(forKey: "title") as? String ?? "-")>"
        }
        keys.setter("title") { (badge: Badge, value: String?) in
            badge.willChangeValue(forKey: "title")
            badge.setPrimitiveValue(value?.lowercased(), forKey: "title")
            badge.didChangeValue(forKey: "title")
        }
        keys.getter("length") { (badge: Badge) in (badge.primitiveValue(forKey: "title") as? String)?.count }
        keys.setter("size") { (_: Badge, value: Int16) in Badge.setterCalls += Int(value) }
        keys.getter("shape", \Badge.shape)
        keys.setter("shape", \Badge.shape)
        keys.validator("title") { (_: Badge, value) in
            if value as? String == "bad" { throw NSError(domain: "Badge", code: 7) }
            if value as? String == "long" { value = "short" }
        }
    }
}

/// A class whose properties ask for their own keys, which it states.
private final class Note: NSManagedObject {
    var title: String {
        get { value(forKey: "title") as? String ?? "" }
        set { setValue(newValue, forKey: "title") }
    }
    var size: Int { max(value(forKey: "size") as? Int ?? 0, title.count) }

    override class func registerKeys(in keys: inout KeyRegistry) {
        super.registerKeys(in: &keys)
        keys.getter("title", \Note.title)
        keys.setter("title") { (note: Note, value: String?) in note.title = value ?? "none" }
        keys.getter("size", \Note.size)
    }
}

@Suite(.serialized) struct KeyRegistryTests {
    private func stack() throws -> TestStack {
        let model = NSManagedObjectModel()
        let entity = NSEntityDescription()
        entity.name = "Badge"
        entity.managedObjectClassName = ".Badge"
        let (title, size) = (NSAttributeDescription(), NSAttributeDescription())
        (title.name, size.name) = ("title", "size")
        (title.attributeType, size.attributeType) = (.stringAttributeType, .integer16AttributeType)
        entity.properties = [title, size]
        model.entities = [entity]
        Badge.registerClass()
        return try TestStack(model: model)
    }

    private func noteStack() throws -> TestStack {
        let model = NSManagedObjectModel()
        let entity = NSEntityDescription()
        entity.name = "Note"
        entity.managedObjectClassName = ".Note"
        let (title, size) = (NSAttributeDescription(), NSAttributeDescription())
        (title.name, size.name) = ("title", "size")
        (title.attributeType, size.attributeType) = (.stringAttributeType, .integer16AttributeType)
        entity.properties = [title, size]
        model.entities = [entity]
        Note.registerClass()
        return try TestStack(model: model)
    }

    @Test func anAccessorThatAsksForItsOwnKeyGetsTheStoredValue() throws {
        let stack = try noteStack()
        try stack.context.run { () throws in
            let note = try #require(stack.context.make("Note") as? Note)
            note.title = "abc"
            note.setValue(4, forKey: "size")
            #expect(note.title == "abc" && note.size == 4)
            expect(note.value(forKey: "title") as? String, equals: "abc")
            expect(note.value(forKey: "size") as? Int, equals: 4)
            expect(note.primitiveValue(forKey: "size") as? Int, equals: 4)
            note.setValue(nil, forKey: "title")
            #expect(note.title == "none" && note.primitiveValue(forKey: "title") as? String == "none")
            try stack.context.save()
            stack.context.refresh(note, mergeChanges: false)
            #expect(note.isFault && note.value(forKey: "title") as? String == "none" && !note.isFault)
            #expect(!note.hasChanges)
        }
        let request = NSFetchRequest<Note>(entityName: "Note")
        request.sortDescriptors = [NSSortDescriptor(keyPath: \Note.title, ascending: true)]
        try expect(stack.context.run { () throws in try stack.context.fetch(request).count }, equals: 1)
    }

    @Test func anAccessorOfAnotherObjectIsCalled() throws {
        let stack = try noteStack()
        try stack.context.run { () throws in
            let notes = try (0..<3).map { _ in try #require(stack.context.make("Note") as? Note) }
            for note in notes { note.title = "ab" }
            let sizes = notes.map { $0.value(forKey: "size") as? Int }
            expect(sizes, equals: [2, 2, 2])
        }
    }

    @Test func customAccessorsWin() throws {
        let stack = try stack()
        try stack.context.run { () throws in
            let badge = try #require(stack.context.make("Badge") as? Badge)
            badge.setValue("ABC", forKey: "title")
            expect(badge.value(forKey: "title") as? String, equals: "<abc>")
            expect(badge.primitiveValue(forKey: "title") as? String, equals: "abc")
            expect(badge.value(forKey: "length") as? Int, equals: 3)
            badge.setValue(nil, forKey: "title")
            #expect(badge.value(forKey: "title") as? String == "<->" && badge.value(forKey: "length") == nil)
            Badge.setterCalls = 0
            badge.setValue(5, forKey: "size")
            badge.setValue(NSNumber(value: 6), forKey: "size")
            expect(Badge.setterCalls, equals: 11)
        }
    }

    @Test func propertiesAreSetByTheirKeyPaths() throws {
        let stack = try stack()
        try stack.context.run { () throws in
            let badge = try #require(stack.context.make("Badge") as? Badge)
            badge.setValue(Badge.Shape.round, forKey: "shape")
            #expect(badge.note == "round" && badge.value(forKey: "shape") as? Badge.Shape == .round)
            badge.setValue(nil, forKey: "shape")
            #expect(badge.note == "none" && badge.value(forKey: "shape") == nil)
        }
    }

    @Test func calculatedPropertiesStandInPredicatesInMemory() throws {
        let stack = try stack()
        try stack.context.run { () throws in
            let badges = ["a", "bb"].map { stack.context.make("Badge", ["title": $0]) }
            let predicate = NSPredicate(format: "length == 2")
            expect(badges.filter { predicate.evaluate(with: $0) }, equals: [badges[1]])
        }
    }

    @Test func validatorsRefuseAndReplace() throws {
        let stack = try stack()
        try stack.context.run { () throws in
            let badge = stack.context.make("Badge", ["title": "bad"])
            let error = #expect(throws: NSError.self) { try stack.context.save() }
            #expect(error?.domain == "Badge" && error?.code == 7)
            badge.setValue("long", forKey: "title")
            try stack.context.save()
            expect(badge.primitiveValue(forKey: "title") as? String, equals: "short")
        }
    }

    @Test func storedPropertiesOfASubclassSurvive() throws {
        let stack = try stack()
        try stack.context.run { () throws in
            let badge = try #require(stack.context.make("Badge", ["title": "a"]) as? Badge)
            badge.note = "changed"
            try stack.context.save()
            stack.context.refresh(badge, mergeChanges: false)
            #expect(try stack.context.all("Badge").first === badge && badge.note == "changed")
        }
    }

    @Test func classesAreFoundByFullNameBySuffixAndByUse() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            #expect(stack.context.make("Person") is Person)
            expect(Person(context: stack.context).entity.name, equals: "Person")
            #expect(type(of: stack.context.make("Note")) == NSManagedObject.self)
        }
        let other = try self.stack()
        try other.context.run { () throws in
            #expect(other.context.make("Badge") is Badge)
            expect(Badge(context: other.context).entity.name, equals: "Badge")
        }
    }

    @Test func keysRegisteredFromOutsideTheClass() throws {
        Person.registerKeys { keys in
            keys.getter("outside") { (person: Person) in
                "outside \(person.primitiveValue(forKey: "name") ?? "")"
            }
        }
        let stack = try TestStack()
        stack.context.performAndWait {
            let person = stack.context.make("Person", ["name": "Ada"])
            expect(person.value(forKey: "outside") as? String, equals: "outside Ada")
            expect(person.value(forKey: "shout") as? String, equals: "ADA")
        }
    }
}
