import CoreData
import CoreDataTestSupport
import Foundation
import Testing

/// Keys that are found by the bits of their strings, and values that go by the shortest way.
@Suite struct KeyCacheTests {
    /// A string with storage of its own, whatever the key.
    private static func copy(of key: String, padding: Int = 40) -> String {
        var text = String(repeating: " ", count: padding)
        text.replaceSubrange(text.startIndex..., with: key)
        return text
    }

    @Test func stringsOfAnyOriginFindTheirProperty() throws {
        let names =
            (0..<20).map { "anAttributeWithAnEspeciallyLongName\($0)" } + ["i", "short", "fifteenLetters1"]
        let entity = NSEntityDescription()
        entity.name = "Thing"
        entity.properties = names.map { name in
            let attribute = NSAttributeDescription()
            (attribute.name, attribute.attributeType) = (name, .integer64AttributeType)
            return attribute
        }
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let stack = try TestStack(model: model)
        stack.context.performAndWait {
            let object = stack.context.make("Thing")
            for round in 0..<12 {
                for (number, name) in names.enumerated() {
                    object.setValue(1000 * number + round, forKey: Self.copy(of: name))
                    let value = object.value(forKey: Self.copy(of: name)) as? NSNumber
                    expect(value?.intValue, equals: 1000 * number + round, "\(name)")
                    expect(object.value(forKey: name) as? NSNumber, equals: value)
                }
            }
        }
    }

    @Test func numbersKeepTheirValueAndWidth() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let person = stack.context.make("Person")
            for key in ["age", "level", "visits"] {
                for number in [-32_768, -17, -16, -1, 0, 1, 255, 256, 257, 32_767] {
                    person.setValue(NSNumber(value: number), forKey: key)
                    let value = try #require(person.value(forKey: key) as? NSNumber)
                    #expect(value.intValue == number && value == NSNumber(value: number))
                    // Foundation keeps one number each for -1, 0 and 1, of whatever width.
                    if abs(number) <= 1 { continue }
                    let width = ["age": "s", "level": "i", "visits": "q"][key]
                    expect(String(cString: value.objCType), equals: width, "\(number) of \(key)")
                }
            }
            for flag in [true, false] {
                person.setValue(flag, forKey: "isActive")
                let value = try #require(person.value(forKey: "isActive") as? NSNumber)
                #expect(value == NSNumber(value: flag) && value.boolValue == flag)
            }
            // Stays whole until validation refuses it.
            person.setValue(NSNumber(value: 70_000), forKey: "age")
            expect(person.value(forKey: "age") as? Int, equals: 70_000)
            #expect(throws: (any Error).self) { try stack.context.save() }
        }
    }

    @Test func laterChangesAreSavedAsTheFirst() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let person = stack.context.make("Person", ["name": "Ada", "age": 1])
            try stack.context.save()
            person.setValue(NSNumber(value: 2), forKey: "age")
            person.setValue(NSNumber(value: 3), forKey: "age")
            person.setValue(2.5, forKey: "height")
            person.setValue(NSNull(), forKey: "name")
            expect(person.changedValuesForCurrentEvent().keys.sorted(), equals: ["age", "height", "name"])
            expect(person.changedValues()["age"] as? Int, equals: 3)
            person.setValue(nil, forKey: "height")
            try stack.context.save()
            stack.context.refresh(person, mergeChanges: false)
            expect(person.value(forKey: "age") as? Int, equals: 3)
            #expect(person.value(forKey: "name") == nil && person.value(forKey: "height") == nil)
        }
    }

    @Test func observersAreToldOfLaterChangesToo() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let person = stack.context.make("Person", ["age": 1])
            person.setValue(2, forKey: "age")
            var seen: [Int] = []
            let observation = person.observe("age") { object, _ in
                seen.append(object.value(forKey: "age") as? Int ?? -1)
            }
            person.setValue(3, forKey: "age")
            person.setValue(NSNumber(value: 4), forKey: "age")
            withExtendedLifetime(observation) {}
            expect(seen, equals: [3, 4])
        }
    }

    @Test func unknownKeysStayUnknown() async {
        await #expect(processExitsWith: .failure) {
            let stack = try TestStack()
            stack.context.performAndWait {
                let person = stack.context.make("Person")
                _ = person.value(forKey: "age")
                _ = person.value(forKey: "agee")
            }
        }
    }
}
