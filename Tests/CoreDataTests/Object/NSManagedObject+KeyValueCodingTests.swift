import CoreData
import CoreDataTestSupport
import Testing

@Suite struct KeyValueCodingTests {
    @Test func numbersSatisfyEveryCast() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let person = stack.context.make(
                "Person",
                ["age": 36, "level": 36, "visits": 36, "height": 1.5, "rating": 1.5, "isActive": true])
            for key in ["age", "level", "visits"] {
                expect(person.value(forKey: key) as? Int, equals: 36)
                expect(person.value(forKey: key) as? Int16, equals: 36)
                expect(person.value(forKey: key) as? Int32, equals: 36)
                expect(person.value(forKey: key) as? Int64, equals: 36)
                expect(person.value(forKey: key) as? Double, equals: 36)
                expect(person.value(forKey: key) as? NSNumber, equals: 36)
            }
            expect(person.value(forKey: "height") as? Double, equals: 1.5)
            expect(person.value(forKey: "rating") as? Float, equals: 1.5)
            expect(person.value(forKey: "isActive") as? Bool, equals: true)
            expect(person.value(forKey: "isActive") as? NSNumber, equals: 1)
            let company = stack.context.make(
                "Company", ["name": "x", "budget": Decimal(string: "12.5") as Any])
            expect(
                company.value(forKey: "budget") as? NSDecimalNumber, equals: NSDecimalNumber(string: "12.5"))
            expect((company.value(forKey: "budget") as? NSNumber)?.doubleValue, equals: 12.5)
            expect(company.value(forKey: "budget") as? Decimal, equals: Decimal(string: "12.5"))
        }
    }

    @Test func everyNumericTypeIsAccepted() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let person = stack.context.make("Person")
            let five: [Any] = [
                5, Int8(5), Int16(5), Int32(5), Int64(5), UInt(5), UInt8(5), UInt64(5), Float(5), 5.0,
                Decimal(5),
                NSNumber(value: 5), NSDecimalNumber(value: 5),
            ]
            for value in five {
                for key in ["age", "level", "visits", "height", "rating"] {
                    person.setValue(value, forKey: key)
                    expect(
                        (person.value(forKey: key) as? NSNumber)?.intValue, equals: 5,
                        "\(type(of: value)) for \(key)")
                }
                person.setValue(value, forKey: "isActive")
                expect(person.value(forKey: "isActive") as? Bool, equals: true)
            }
            person.setValue(false, forKey: "isActive")
            expect(person.value(forKey: "isActive") as? Bool, equals: false)
            person.setValue(true, forKey: "age")
            expect(person.value(forKey: "age") as? Int, equals: 1)
            let company = stack.context.make("Company")
            for value in five {
                company.setValue(value, forKey: "budget")
                expect(company.value(forKey: "budget") as? Decimal, equals: 5, "\(type(of: value))")
            }
        }
    }

    @Test func foundationValuesAreAccepted() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let person = stack.context.make("Person")
            person.setValue(NSString("Ada"), forKey: "name")
            person.setValue(NSData(data: Data([1])), forKey: "photo")
            person.setValue(NSURL(string: "https://example.org"), forKey: "home")
            let uuid = NSUUID()
            person.setValue(uuid, forKey: "badge")
            #expect(person.text("name") == "Ada" && person.value(forKey: "name") as? NSString == "Ada")
            expect(person.value(forKey: "photo") as? Data, equals: Data([1]))
            expect((person.value(forKey: "home") as? URL)?.host, equals: "example.org")
            expect((person.value(forKey: "badge") as? UUID)?.uuidString, equals: uuid.uuidString)
            let company = stack.context.make("Company")
            company.setValue(NSDate(timeIntervalSinceReferenceDate: 5), forKey: "founded")
            expect((company.value(forKey: "founded") as? Date)?.timeIntervalSinceReferenceDate, equals: 5)
        }
    }

    @Test func nilAndNullClear() throws {
        let stack = try TestStack()
        stack.context.performAndWait {
            let person = stack.context.make("Person", ["name": "Ada", "age": 1])
            person.setValue(nil, forKey: "name")
            person.setValue(NSNull(), forKey: "age")
            #expect(person.value(forKey: "name") == nil && person.value(forKey: "age") == nil)
            person["name"] = "Bob"
            expect(person["name"] as? String, equals: "Bob")
            person.setValuesForKeys(["name": NSNull(), "age": 3])
            #expect(person["name"] == nil && person["age"] as? Int == 3)
            let values = person.dictionaryWithValues(forKeys: ["name", "age"])
            #expect(values["name"] is NSNull && values["age"] as? Int == 3)
        }
    }

    @Test func keyPathsFollowRelationshipsAndOperators() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let company = stack.context.make("Company", ["name": "Acme"])
            let people = [("Ada", 30), ("Bob", 20), ("Cyd", 40)].map {
                stack.context.make("Person", ["name": $0, "age": $1, "company": company])
            }
            people[0].setValue(["b", "a"].map { stack.context.make("Note", ["text": $0]) }, forKey: "notes")
            expect(people[0].value(forKeyPath: "company.name") as? String, equals: "Acme")
            expect(company.value(forKeyPath: "people.@count") as? Int, equals: 3)
            expect((company.value(forKeyPath: "people.@sum.age") as? NSNumber)?.intValue, equals: 90)
            expect((company.value(forKeyPath: "people.@avg.age") as? NSNumber)?.intValue, equals: 30)
            expect((company.value(forKeyPath: "people.@min.age") as? NSNumber)?.intValue, equals: 20)
            expect((company.value(forKeyPath: "people.@max.age") as? NSNumber)?.intValue, equals: 40)
            expect(company.value(forKeyPath: "people.name") as? Set<String>, equals: ["Ada", "Bob", "Cyd"])
            #expect((people[1].value(forKeyPath: "company.founded")) == nil)
            people[0].setValue("Zeta", forKeyPath: "company.name")
            expect(company.text("name"), equals: "Zeta")
            #expect(people[0].value(forKeyPath: "notes.text") != nil)
        }
    }

    @Test func builtInKeys() throws {
        let stack = try TestStack()
        stack.context.performAndWait {
            let person = stack.context.make("Person")
            expect(person.value(forKey: "objectID") as? NSManagedObjectID, equals: person.objectID)
            #expect(person.value(forKey: "self") as? NSManagedObject === person)
            expect(person.value(forKey: "isInserted") as? Bool, equals: true)
            expect(person.value(forKey: "hasChanges") as? Bool, equals: true)
        }
    }

    @Test func primitivesBypassAccessorsAndTracking() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let person = stack.context.make("Person", ["name": "Ada"])
            try stack.context.save()
            person.setPrimitiveValue("Bob", forKey: "name")
            expect(person.primitiveValue(forKey: "name") as? String, equals: "Bob")
            #expect(!person.hasChanges && person.changedValues().isEmpty && !stack.context.hasChanges)
            person.willChangeValue(forKey: "name")
            person.setPrimitiveValue("Cyd", forKey: "name")
            person.didChangeValue(forKey: "name")
            #expect(person.isUpdated && person.changedValues()["name"] as? String == "Cyd")
        }
    }

    @Test func typedAccessDoesNotBox() throws {
        let stack = try TestStack()
        stack.context.performAndWait {
            let person = stack.context.make("Person")
            let (age, name, height) = (
                ManagedAttribute("age"), ManagedAttribute("name"), ManagedAttribute("height")
            )
            person[age] = Int16(4)
            person[name] = "Ada" as String?
            person[height] = 1.5
            #expect(person[age] == Int16(4) && person[age] == 4 as Int && person[name] == "Ada" as String?)
            #expect(person[height] == 1.5 && person.value(forKey: "age") as? Int == 4)
            person[name] = nil as String?
            #expect(person[name] == nil as String? && person.value(forKey: "name") == nil)
        }
    }

    @Test func aValueOfTheWrongTypeRaises() async {
        await #expect(processExitsWith: .failure) {
            try TestStack().context.make("Person").setValue("ten", forKey: "age")
        }
        await #expect(processExitsWith: .failure) {
            try TestStack().context.make("Person").setValue(10, forKey: "name")
        }
        await #expect(processExitsWith: .failure) {
            try TestStack().context.make("Person").setValue("x", forKey: "company")
        }
        await #expect(processExitsWith: .failure) {
            let context = try TestStack().context
            context.make("Person").setValue(context.make("Person"), forKey: "company")
        }
    }

    @Test func anUnknownKeyRaises() async {
        await #expect(processExitsWith: .failure) {
            _ = try TestStack().context.make("Person").value(forKey: "nothing")
        }
        await #expect(processExitsWith: .failure) {
            try TestStack().context.make("Person").setValue(1, forKey: "nothing")
        }
        await #expect(processExitsWith: .failure) {
            _ = try TestStack().context.make("Person").value(forKeyPath: "company.nothing.at")
            _ = try TestStack().context.make("Person").value(forKeyPath: "nothing.at")
        }
    }
}
