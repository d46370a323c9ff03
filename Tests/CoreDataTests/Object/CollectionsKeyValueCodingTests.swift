import CoreData
import CoreDataTestSupport
import Testing

@Suite struct CollectionsKeyValueCodingTests {
    @Test func valuesOfAllMembers() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let company = stack.context.make("Company", ["name": "A"])
            let people = [("Ada", 30), ("Bea", 20), (nil, 20)].map { name, age in
                stack.context.make(
                    "Person", ["name": name as Any? ?? NSNull(), "age": age, "company": company])
            }
            let set = try #require(company.value(forKey: "people") as? NSSet)
            expect(set.value(forKey: "name") as? Set<String>, equals: ["Ada", "Bea"])
            expect(set.value(forKey: "age") as? Set<Int>, equals: [20, 30])
            let array = NSArray(array: people)
            let names = try #require(array.value(forKey: "name") as? NSArray)
            #expect(names.count == 3 && names[0] as? String == "Ada" && names[2] is NSNull)
            let ordered = NSOrderedSet(array: people)
            expect((ordered.value(forKey: "age") as? NSOrderedSet)?.array as? [Int], equals: [30, 20])
            expect(array.value(forKeyPath: "@sum.age") as? Int, equals: 70)
            expect(set.value(forKeyPath: "@count") as? Int, equals: 3)
            expect(ordered.value(forKeyPath: "@max.age") as? Int, equals: 30)
            expect(set.value(forKeyPath: "company.name") as? Set<String>, equals: ["A"])
            expect((array.value(forKeyPath: "company.people.@count") as? Int), equals: 3)
            set.setValue(5, forKey: "age")
            #expect(people.allSatisfy { $0["age"] as? Int == 5 })
            array.setValue("x", forKey: "name")
            ordered.setValue(nil, forKey: "company")
            #expect(people.allSatisfy { $0.text("name") == "x" && $0["company"] == nil })
        }
    }

    /// A path through dictionaries, as JSON has them, collections and objects.
    @Test func pathsThroughDictionaries() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let company = stack.context.make("Company", ["name": "A"])
            let json: [String: Any] = [
                "name": "B", "size": ["people": 3, "rooms": NSNull()], "parts": [["x": 1], ["x": 2]],
                "owner": company,
                "tags": NSSet(array: ["p", "q"]), "order": NSOrderedSet(array: ["r"]),
            ]
            let dictionary = json as NSDictionary
            expect(dictionary.value(forKeyPath: "name") as? String, equals: "B")
            expect(dictionary.value(forKeyPath: "size.people") as? Int, equals: 3)
            expect(dictionary.value(forKeyPath: "parts.x") as? [Int], equals: [1, 2])
            expect(dictionary.value(forKeyPath: "parts.@sum.x") as? Int, equals: 3)
            expect(dictionary.value(forKeyPath: "tags.@count") as? Int, equals: 2)
            expect(dictionary.value(forKeyPath: "order.@count") as? Int, equals: 1)
            expect(dictionary.value(forKeyPath: "owner.name") as? String, equals: "A")
            for path in ["none", "none.name", "size.rooms.name", "size.none"] {
                #expect(dictionary.value(forKeyPath: path) == nil)
            }
            #expect(dictionary.value(forKeyPath: "size.rooms") is NSNull)
        }
    }

    /// What the operators give on Apple's systems: a set answers with a set, and `@distinctUnionOfSets` always.
    @Test func distinctUnionsOfSetsAreSets() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let company = stack.context.make("Company", ["name": "A"])
            let projects = ["x", "y"].map { stack.context.make("Project", ["title": $0]) }
            let people = [20, 30, 20].map { age in
                stack.context.make("Person", ["age": age, "company": company, "projects": Set(projects)])
            }
            let set = try #require(company.value(forKey: "people") as? NSSet)
            for value in [
                company.value(forKeyPath: "people.@distinctUnionOfObjects.age"),
                set.value(forKeyPath: "@distinctUnionOfObjects.age"),
            ] {
                #expect(value is NSSet && value as? Set<Int> == [20, 30])
            }
            let array = NSArray(array: people)
            expect(
                (array.value(forKeyPath: "@distinctUnionOfObjects.age") as? [Int])?.sorted(),
                equals: [20, 30])
            for value in [
                company.value(forKeyPath: "people.@distinctUnionOfSets.projects"),
                array.value(forKeyPath: "@distinctUnionOfSets.projects"),
            ] {
                expect(value as? NSSet, equals: NSSet(array: projects))
            }
        }
    }

    @Test func anUnknownKeyRaises() async {
        await #expect(processExitsWith: .failure) {
            let stack = try TestStack()
            stack.context.performAndWait {
                _ = NSSet(array: [stack.context.make("Person")]).value(forKey: "nonsense")
            }
        }
        await #expect(processExitsWith: .failure) { NSArray(array: [1]).setValue(2, forKey: "nonsense") }
    }
}
