// Attributes read and written through accessors that find them by key; those with places: ManagedKeysTests.

import CoreData
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Synchronization
import Testing

@Suite struct ManagedAttributeTests {
    private enum Rank: Int16 {
        case first = 1
        case second
    }
    private enum Shout: String {
        case loud
        case quiet
    }

    /// Stores and reads a value through the subscript.
    private func kept<Value: ManagedStorable & Equatable>(
        _ attribute: ManagedAttribute, _ value: Value, _ object: NSManagedObject
    ) -> Bool {
        object[attribute] = value
        return object[attribute] as Value == value && object[attribute] as Value? == value
            && object.hasChanges
    }

    /// The same without the subscript, as types of clients' own would do it for the types that they are made of.
    private func keptByType<Value: ManagedStorable & Equatable>(
        _ attribute: ManagedAttribute, _ value: Value, _ object: NSManagedObject
    ) -> Bool {
        Value.store(value, in: object, attribute)
        return Value.load(from: object, attribute) == value
            && Value.loadIfPresent(from: object, attribute) == value
    }

    @Test func typesReadAndWriteThemselves() throws {
        let stack = try TestStack()
        try stack.context.run {
            let person = stack.context.make("Person")
            #expect(keptByType(ManagedAttribute("visits"), Int64(4), person))
            #expect(keptByType(ManagedAttribute("name"), "Ada", person))
            expect(person.value(forKey: "name") as? String, equals: "Ada")
            String?.store(nil, in: person, ManagedAttribute("name"))
            #expect(String.loadIfPresent(from: person, ManagedAttribute("name")) == nil)
            expect(String.load(from: person, ManagedAttribute("name")), equals: "")
        }
    }

    @Test func numbers() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let person = stack.context.make("Person")
            #expect(kept(ManagedAttribute("age"), Int16(-7), person))
            #expect(kept(ManagedAttribute("level"), Int32.min, person))
            #expect(kept(ManagedAttribute("visits"), Int64.max, person))
            #expect(kept(ManagedAttribute("visits"), 12, person))
            expect(person.value(forKey: "visits") as? Int, equals: 12)
            #expect(kept(ManagedAttribute("isActive"), true, person))
            #expect(kept(ManagedAttribute("isActive"), false, person))
            expect(person.value(forKey: "isActive") as? Bool, equals: false)
            #expect(kept(ManagedAttribute("height"), 1.5, person))
            #expect(kept(ManagedAttribute("rating"), Float(0.1), person))
            expect(person.value(forKey: "rating") as? Float, equals: 0.1)
            // A number fits any numeric attribute, as it does by key.
            #expect(kept(ManagedAttribute("height"), 3, person) && kept(ManagedAttribute("age"), 4.0, person))
            #expect(
                kept(ManagedAttribute("isActive"), 1, person) && kept(ManagedAttribute("age"), true, person))
            person[ManagedAttribute("rating")] = 0.1
            expect(person[ManagedAttribute("rating")], equals: Double(Float(0.1)))
        }
    }

    @Test func textBytesAndTheRest() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let person = stack.context.make("Person")
            let company = stack.context.make("Company", ["name": "A"])
            #expect(kept(ManagedAttribute("name"), "Ada", person))
            #expect(kept(ManagedAttribute("photo"), Data([1, 2]), person))
            #expect(kept(ManagedAttribute("badge"), UUID(), person))
            let home = try #require(URL(string: "https://example.org/ada"))
            #expect(kept(ManagedAttribute("home"), home, person))
            #expect(kept(ManagedAttribute("founded"), Date(timeIntervalSinceReferenceDate: 86_400), company))
            let budget = try #require(Decimal(string: "12.5"))
            #expect(kept(ManagedAttribute("budget"), budget, company))
            try stack.context.save()
            for object in [person, company] { stack.context.refresh(object, mergeChanges: false) }
            #expect(person[ManagedAttribute("name")] == "Ada" && person[ManagedAttribute("home")] == home)
            expect(person[ManagedAttribute("photo")], equals: Data([1, 2]))
            expect(company[ManagedAttribute("budget")], equals: budget)
            expect(company[ManagedAttribute("founded")], equals: Date(timeIntervalSinceReferenceDate: 86_400))
            expect(
                (person[ManagedAttribute("badge")] as UUID?), equals: person.value(forKey: "badge") as? UUID)
        }
    }

    @Test func foundationsClassesAndObjects() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let person = stack.context.make("Person")
            person[ManagedAttribute("age")] = NSNumber(value: 5)
            expect((person[ManagedAttribute("age")] as NSNumber?), equals: 5)
            person[ManagedAttribute("name")] = NSString("Ada")
            expect((person[ManagedAttribute("name")] as NSString?), equals: "Ada")
            let company = stack.context.make("Company")
            company[ManagedAttribute("budget")] = NSDecimalNumber(string: "1.25")
            expect(
                (company[ManagedAttribute("budget")] as NSDecimalNumber),
                equals: NSDecimalNumber(string: "1.25"))
            company[ManagedAttribute("founded")] = NSDate(timeIntervalSinceReferenceDate: 5)
            expect(
                (company[ManagedAttribute("founded")] as NSDate?)?.timeIntervalSinceReferenceDate, equals: 5)
            person[ManagedAttribute("photo")] = NSData(data: Data([7]))
            expect((person[ManagedAttribute("photo")] as NSData?), equals: NSData(data: Data([7])))
            person[ManagedAttribute("tags")] = ["a", "b"]
            expect((person[ManagedAttribute("tags")] as [String]?), equals: ["a", "b"])
            expect((person[ManagedAttribute("tags")] as NSArray?)?.count, equals: 2)
            expect((person[ManagedAttribute("tags")] as Any?) as? [String], equals: ["a", "b"])
            person[ManagedAttribute("tags")] = Any?.none
            #expect((person[ManagedAttribute("tags")] as Any?) == nil && person["tags"] == nil)
        }
    }

    @Test func enumerations() async throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let person = stack.context.make("Person")
            person[ManagedAttribute("age")] = Rank.second
            #expect((person[ManagedAttribute("age")] as Rank) == .second && person["age"] as? Int == 2)
            person[ManagedAttribute("name")] = Shout?.some(.loud)
            expect((person[ManagedAttribute("name")] as Shout?), equals: .loud)
            person[ManagedAttribute("name")] = Shout?.none
            #expect((person[ManagedAttribute("name")] as Shout?) == nil && person["name"] == nil)
        }
    }

    /// Xcode declares a date that is a scalar as `TimeInterval`.
    @Test func datesAsIntervals() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let company = stack.context.make("Company", ["name": "A"])
            company[ManagedAttribute("founded")] = TimeInterval(86_400)
            expect(company["founded"] as? Date, equals: Date(timeIntervalSinceReferenceDate: 86_400))
            expect((company[ManagedAttribute("founded")] as TimeInterval), equals: 86_400)
            expect((company[ManagedAttribute("founded")] as TimeInterval?), equals: 86_400)
        }
    }

    /// Declared otherwise than the model: what can't be shown is left out and logged, and the process goes on.
    @Test func aValueOfAnotherTypeIsLeftOutAndLogged() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let person = stack.context.make("Person", ["name": "x", "age": 9])
            person["tags"] = ["a"] as NSArray
            let said = Mutex<[String]>([])
            Log.$sink.withValue(Log.Sink { text in said.withLock { $0.append(text) } }) {
                expect((person[ManagedAttribute("name")] as Int), equals: 0)
                #expect((person[ManagedAttribute("name")] as Int?) == nil)
                #expect((person[ManagedAttribute("name")] as Bool?) == nil)
                #expect((person[ManagedAttribute("name")] as Double?) == nil)
                #expect((person[ManagedAttribute("name")] as Float?) == nil)
                #expect((person[ManagedAttribute("name")] as Date?) == nil)
                #expect((person[ManagedAttribute("age")] as String?) == nil)
                expect((person[ManagedAttribute("age")] as String), equals: "")
                expect((person[ManagedAttribute("age")] as Data), equals: Data())
                #expect((person[ManagedAttribute("name")] as UUID?) == nil)
                #expect((person[ManagedAttribute("name")] as UUID).uuidString.hasPrefix("00000000"))
                #expect((person[ManagedAttribute("age")] as URL).isFileURL)
                #expect((person[ManagedAttribute("tags")] as [Int]?) == nil)
                expect((person[ManagedAttribute("tags")] as [Int]), equals: [])
                expect((person[ManagedAttribute("tags")] as NSSet), equals: NSSet())
                #expect((person[ManagedAttribute("tags")] as NSDictionary?) == nil)
                expect((person[ManagedAttribute("age")] as Rank), equals: .first)
                #expect((person[ManagedAttribute("age")] as Rank?) == nil)
                #expect((person[primitive: "name"] as Int?) == nil && person[primitive: "name"] as Int == 0)
                expect((person[primitive: "age"] as [String]), equals: [])
            }
            #expect(said.withLock { $0.allSatisfy { $0.contains("of entity \"Person\"") } && !$0.isEmpty })
            #expect(person["age"] as? Int == 9 && person["name"] as? String == "x")
        }
    }

    @Test func nilReadAsATypeWithoutIt() async throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let person = stack.context.make("Person")
            let company = stack.context.make("Company")
            #expect(
                person[ManagedAttribute("age")] == Int16(0) && person[ManagedAttribute("isActive")] == false)
            #expect(
                person[ManagedAttribute("height")] == 0.0 && person[ManagedAttribute("rating")] == Float(0))
            #expect(person[ManagedAttribute("name")] == "" && person[ManagedAttribute("photo")] == Data())
            expect(company[ManagedAttribute("budget")], equals: Decimal(0))
            expect(company[ManagedAttribute("founded")], equals: Date(timeIntervalSinceReferenceDate: 0))
            #expect((person[ManagedAttribute("age")] as Int16?) == nil)
            #expect((person[ManagedAttribute("badge")] as UUID?) == nil)
            expect((person[ManagedAttribute("tags")] as [String]), equals: [])
            expect((person[ManagedAttribute("tags")] as Set<String>), equals: [])
            expect((person[ManagedAttribute("tags")] as [String: Int]), equals: [:])
            expect((person[ManagedAttribute("tags")] as NSArray), equals: [])
            expect((person[ManagedAttribute("tags")] as NSOrderedSet).count, equals: 0)
        }
        await #expect(processExitsWith: .failure) {
            let stack = try TestStack()
            stack.context.performAndWait {
                _ = stack.context.make("Person")[ManagedAttribute("badge")] as UUID
            }
        }
        await #expect(processExitsWith: .failure) {
            let stack = try TestStack()
            stack.context.performAndWait {
                _ = stack.context.make("Person")[ManagedAttribute("tags")] as NSObject
            }
        }
    }

    @Test func wrongTypesAndKeysRaise() async {
        await #expect(processExitsWith: .failure) {
            let stack = try TestStack()
            stack.context.performAndWait { stack.context.make("Person")[ManagedAttribute("name")] = 5 }
        }
        await #expect(processExitsWith: .failure) {
            let stack = try TestStack()
            stack.context.performAndWait {
                _ = stack.context.make("Person")[ManagedAttribute("nowhere")] as String?
            }
        }
    }
}
