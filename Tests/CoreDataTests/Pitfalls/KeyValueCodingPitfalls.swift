// Facts about values by key that are easy to get wrong. Each name states one.

import CoreData
import CoreDataTestSupport
import Testing

@Suite struct KeyValueCodingPitfalls {
    private func with(_ body: (NSManagedObjectContext, NSManagedObject) throws -> Void) throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let company = stack.context.make("Company", ["name": "A"])
            for (name, age) in [("Ada", 30), ("Bea", 20), ("Cleo", 10)] {
                _ = stack.context.make("Person", ["name": name, "age": age, "company": company])
            }
            try body(stack.context, company)
        }
    }

    @Test func operatorsInKeyPaths() throws {
        try with { _, company in
            expect(company.value(forKeyPath: "people.@count") as? Int, equals: 3)
            expect(company.value(forKeyPath: "people.@sum.age") as? Int, equals: 60)
            expect(company.value(forKeyPath: "people.@avg.age") as? Double, equals: 20)
            expect(company.value(forKeyPath: "people.@min.age") as? Int, equals: 10)
            expect(company.value(forKeyPath: "people.@max.age") as? Int, equals: 30)
            let ages = company.value(forKeyPath: "people.@distinctUnionOfObjects.age")
            // Not an array: a set answers with a set.
            #expect(ages is NSSet && ages as? Set<Int> == [10, 20, 30])
        }
    }

    @Test func aKeyPathThroughAToManyRelationshipGivesASet() throws {
        try with { _, company in
            expect(company.value(forKeyPath: "people.name") as? Set<String>, equals: ["Ada", "Bea", "Cleo"])
            expect(company.value(forKeyPath: "people.company.name") as? Set<String>, equals: ["A"])
        }
    }

    @Test func aKeyPathThroughNilIsNil() throws {
        try with { context, _ in
            let lonely = context.make("Person", ["name": "Dora"])
            #expect(lonely.value(forKeyPath: "company.name") == nil)
            lonely.setValue("B", forKeyPath: "company.name")
            #expect(lonely["company"] == nil)
        }
    }

    @Test func dictionariesUseNullForNil() throws {
        try with { context, company in
            let values = company.dictionaryWithValues(forKeys: ["name", "founded"])
            #expect(values["name"] as? String == "A" && values["founded"] is NSNull)
            company.setValuesForKeys(["name": NSNull(), "budget": 5])
            #expect(company["name"] == nil && company["budget"] as? Decimal == 5)
            _ = context
        }
    }

    @Test func aToManyValueCastsToASwiftSetAndToAnNSSet() throws {
        try with { _, company in
            let value = company.value(forKey: "people")
            #expect((value as? Set<NSManagedObject>)?.count == 3 && (value as? NSSet)?.count == 3)
            expect((value as? NSSet)?.value(forKey: "age") as? Set<Int>, equals: [10, 20, 30])
        }
    }

    @Test func mutableSetsAreLive() throws {
        try with { context, company in
            let set = company.mutableSetValue(forKey: "people")
            let person = context.make("Person", ["name": "Dora"])
            set.add(person)
            #expect(person["company"] as? NSManagedObject === company)
            person["company"] = nil
            #expect(set.count == 3 && !set.contains(person))
        }
    }
}
