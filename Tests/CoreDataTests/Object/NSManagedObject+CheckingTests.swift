// Keys and values from outside: all problems at once, and nothing set.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct CheckingTests {
    private let stack: TestStack
    private let context: NSManagedObjectContext

    init() throws {
        stack = try TestStack()
        context = stack.context
    }

    private func problems(_ error: NSError?) -> [String: Int] {
        let all = error?.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error].compactMap { $0 }
        return Dictionary(
            all.map { ($0.userInfo[NSValidationKeyErrorKey] as? String ?? "", $0.code) },
            uniquingKeysWith: { first, _ in first })
    }

    @Test func valuesThatFitAreSet() throws {
        try context.run { () throws in
            let company = context.make("Company", ["name": "Acme"])
            let (person, project) = (context.make("Person", ["height": 2]), context.make("Project"))
            try person.setValues(checking: [
                "name": "Ada", "age": 36, "isActive": true, "height": NSNull(), "badge": UUID(),
                "company": company, "projects": [project], "notes": NSOrderedSet(), "visits": Int64.max,
                "tags": ["a"], "rating": Decimal(string: "1.5") as Any,
            ])
            #expect(person.text("name") == "Ada" && person.value(forKey: "age") as? Int == 36)
            #expect(
                person.value(forKey: "height") == nil
                    && person.value(forKey: "company") as? NSObject === company)
            expect((person.value(forKey: "projects") as? NSSet)?.contains(project), equals: true)
            expect((company.value(forKey: "people") as? NSSet)?.contains(person), equals: true)
            expect(person.value(forKey: "visits") as? Int64, equals: .max)
            expect(person.value(forKey: "rating") as? Double, equals: 1.5)
            try person.setValue(checking: nil, forKey: "name")
            #expect(person.value(forKey: "name") == nil)
        }
    }

    @Test func allProblemsAreToldAndNothingIsSet() throws {
        try context.run { () throws in
            let person = context.make("Person", ["name": "Ada", "age": 36])
            let other = stack.another()
            let thrown = error {
                try person.setValues(checking: [
                    "name": 5, "age": 70_000, "level": -3_000_000_000, "visits": 1e30, "isActive": "yes",
                    "badge": "text", "home": 1, "photo": "bytes", "agee": 1, "company": person,
                    "projects": [context.make("Project"), "x"], "notes": 5, "spouse": other.make("Person"),
                    "height": 1.75,
                ])
            }
            expect(thrown?.code, equals: NSValidationMultipleErrorsError)
            let wrong = NSManagedObjectValidationError
            expect(
                problems(thrown),
                equals: [
                    "name": wrong, "age": NSValidationNumberTooLargeError,
                    "level": NSValidationNumberTooSmallError,
                    "visits": NSValidationNumberTooLargeError, "isActive": wrong, "badge": wrong,
                    "home": wrong,
                    "photo": wrong, "agee": wrong, "company": wrong, "projects": wrong, "notes": wrong,
                    "spouse": wrong,
                ])
            let details = thrown?.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []
            #expect(details.allSatisfy { $0.userInfo[NSValidationObjectErrorKey] as? NSObject === person })
            #expect(person.text("name") == "Ada" && person.value(forKey: "age") as? Int == 36)
            #expect(person.value(forKey: "height") == nil && person.value(forKey: "level") == nil)
        }
    }

    @Test func aSingleProblemIsItself() throws {
        context.performAndWait {
            let person = context.make("Person")
            let thrown = error { try person.setValue(checking: Double.nan, forKey: "age") }
            expect(thrown?.code, equals: NSManagedObjectValidationError)
            expect(thrown?.userInfo[NSValidationKeyErrorKey] as? String, equals: "age")
            #expect(
                error { try person.setValue(checking: 1, forKey: "nonsense") }?.code
                    == NSManagedObjectValidationError)
            #expect(
                error { try person.setValue(checking: UInt64.max, forKey: "visits") }?.code
                    == NSValidationNumberTooLargeError)
            #expect(
                error { try person.setValue(checking: 0x1p63, forKey: "visits") }?.code
                    == NSValidationNumberTooLargeError)
            #expect(error { try person.setValue(checking: -0x1p63, forKey: "visits") } == nil)
        }
    }

    @Test func settersOfTheClassAreAskedToo() throws {
        let model = NSManagedObjectModel()
        let entity = NSEntityDescription(
            "Dial", NSAttributeDescription.all(("level", .integer32AttributeType)))
        entity.managedObjectClassName = NSStringFromClass(Dial.self)
        model.entities = [entity]
        let stack = try TestStack(model: model)
        stack.context.performAndWait {
            let dial = Dial(entity: entity, insertInto: stack.context)
            #expect(
                error { try dial.setValues(checking: ["volume": "loud"]) }?.code
                    == NSManagedObjectValidationError)
            #expect(error { try dial.setValues(checking: ["volume": 3]) } == nil)
            expect(dial.value(forKey: "level") as? Int, equals: 30)
        }
    }

    @Test func keyPathsGiveWhatTheyGiveOtherwise() throws {
        try context.run { () throws in
            let company = context.make("Company", ["name": "Acme"])
            for age in [30, 40] { _ = context.make("Person", ["name": "p", "age": age, "company": company]) }
            let person = try #require(
                (company.value(forKey: "people") as? NSSet)?.anyObject() as? NSManagedObject)
            for path in [
                "name", "people.@count", "people.@avg.age", "people.name", "objectID", "people.company.name",
            ] {
                try expect(
                    company.value(checkingKeyPath: path) as? NSObject,
                    equals: company.value(forKeyPath: path)
                        as? NSObject,
                    "\(path)")
            }
            try expect(person.value(checkingKeyPath: "company.name") as? String, equals: "Acme")
            try expect(person.value(checkingKeyPath: "shout") as? String, equals: "P")
            #expect(try person.value(checkingKeyPath: "spouse.company.name") == nil)
            for path in [
                "nonsense", "company.nonsense", "", "company.people.nonsense",
                "company.@sum.x",
            ] {
                #expect(
                    error { _ = try person.value(checkingKeyPath: path) }?.code == NSCoreDataError,
                    "\(path)")
            }
        }
    }

    @Test func whatCantBeReadIsThrown() throws {
        let damaged = try DamagedStack()
        try damaged.context.run { () throws in
            let person = try damaged.fault("Person", "person 30")
            try damaged.damage("person 30 ")
            #expect(error { try person.setValues(checking: ["age": 1]) }?.code == NSFileReadCorruptFileError)
            #expect(
                error { _ = try person.value(checkingKeyPath: "name") }?.code == NSFileReadCorruptFileError)
            #expect(person.isFault && !damaged.context.hasChanges)
            let company = try damaged.fault("Company", "Acme of")
            #expect(
                error { _ = try company.value(checkingKeyPath: "people.name") }?.code
                    == NSFileReadCorruptFileError)
            #expect(damaged.context.readError == nil)
        }
    }

    @Test func namesOfEntitiesFromOutside() throws {
        try context.run { () throws in
            let made = try NSEntityDescription.insertNewObject(checkingEntityName: "Note", into: context)
            #expect(made.isInserted && made.entity.name == "Note")
            #expect(
                error {
                    _ = try NSEntityDescription.insertNewObject(checkingEntityName: "Nobody", into: context)
                }?.code == NSCoreDataError)
        }
        let bare = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        #expect(
            error { _ = try NSEntityDescription.insertNewObject(checkingEntityName: "Note", into: bare) }?
                .code == NSPersistentStoreOperationError)
    }
}

final class Dial: NSManagedObject {
    override class func registerKeys(in keys: inout KeyRegistry) {
        super.registerKeys(in: &keys)
        keys.setter("volume") { (dial: Dial, volume: Int) in dial.setValue(volume * 10, forKey: "level") }
    }
}
