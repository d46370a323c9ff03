import CoreData
import CoreDataTestSupport
import Testing

/// The notifications of an observer.
private final class Log<Value> {
    var changes: [NSKeyValueObservedChange<Value>] = []
    var count: Int { changes.count }
    var last: NSKeyValueObservedChange<Value>? { changes.last }
}

/// A class with a calculated property and key paths that have names.
private final class Author: NSManagedObject {
    var name: String? {
        get { value(forKey: "name") as? String }
        set { setValue(newValue, forKey: "name") }
    }
    var handwritten: String? {
        get { primitiveValue(forKey: "name") as? String }
        set {
            willChangeValue(forKey: "name")
            setPrimitiveValue(newValue, forKey: "name")
            didChangeValue(forKey: "name")
        }
    }
    var unnamed: Int { 0 }

    override class func registerKeys(in keys: inout KeyRegistry) {
        super.registerKeys(in: &keys)
        keys.getter("label") { (author: Author) in "\(author.name ?? "-") (\(author["age"] ?? 0))" }
        keys.dependency("label", on: "name", "age")
        keys.getter("sign") { (author: Author) in "<\(author["label"] ?? "")>" }
        keys.dependency("sign", on: "label")
    }

    static func stack() throws -> TestStack {
        let model = CompanyModel.make()
        model.entitiesByName["Person"]?.managedObjectClassName = "Author"
        Author.registerClass()
        return try TestStack(model: model)
    }
}

@Suite struct KeyObservingTests {
    private func person(_ stack: TestStack, _ values: [String: Any] = ["name": "Ada"]) -> Author {
        // The model names the class.
        stack.context.make("Person", values) as! Author
    }

    @Test func everyWayToSetAnAttribute() throws {
        let stack = try Author.stack()
        try stack.context.run { () throws in
            let person = person(stack)
            let log = Log<String>()
            let observation = person.observe("name", as: String.self, options: [.old, .new]) {
                object, change in
                #expect(object === person)
                log.changes.append(change)
            }
            person.setValue("Bea", forKey: "name")
            #expect(log.last?.oldValue == "Ada" && log.last?.newValue == "Bea" && log.last?.kind == .setting)
            let slot = ManagedAttribute("name")
            person[slot] = "Cleo"
            #expect(log.count == 2 && log.last?.oldValue == "Bea" && log.last?.newValue == "Cleo")
            person[slot] = String?.none
            #expect(log.count == 3 && log.last?.oldValue == "Cleo" && log.last?.newValue == nil)
            person["name"] = "Dora"
            #expect(log.count == 4 && log.last?.oldValue == nil && log.last?.newValue == "Dora")
            person.handwritten = "Eve"
            #expect(log.count == 5 && log.last?.oldValue == "Dora" && log.last?.newValue == "Eve")
            person.willChangeValue(for: \.name)
            person.setPrimitiveValue("Fay", forKey: "name")
            expect(log.count, equals: 5)
            person.didChangeValue(for: \.name)
            #expect(log.count == 6 && log.last?.oldValue == "Eve" && log.last?.newValue == "Fay")
            person.setPrimitiveValue("quiet", forKey: "name")
            person.setValue(3, forKey: "age")
            expect(log.count, equals: 6)
            observation.invalidate()
            person.setValue("Fay", forKey: "name")
            expect(log.count, equals: 6)
        }
    }

    @Test func numbersDatesAndData() throws {
        let stack = try Author.stack()
        try stack.context.run { () throws in
            let person = person(stack)
            var seen: [Any?] = []
            let observation = person.observe(["age", "height", "photo", "isActive"], options: .new) {
                _, key, change in
                seen.append(key)
                seen.append(change.newValue)
            }
            person[ManagedAttribute("age")] = Int16(4)
            person[ManagedAttribute("height")] = 1.5
            person[ManagedAttribute("photo")] = Data([1])
            person[ManagedAttribute("isActive")] = true
            try #require(seen.count == 8)
            #expect(seen[0] as? String == "age" && seen[1] as? Int == 4)
            #expect(seen[3] as? Double == 1.5 && seen[5] as? Data == Data([1]) && seen[7] as? Bool == true)
            observation.invalidate()
            person.setValue(5, forKey: "age")
            expect(seen.count, equals: 8)
        }
    }

    @Test func initialAndPrior() throws {
        let stack = try Author.stack()
        try stack.context.run { () throws in
            let person = person(stack)
            let log = Log<String>()
            let observation = person.observe(
                "name", as: String.self, options: [.initial, .prior, .old, .new]
            ) { object, change in
                if change.isPrior { expect(object.text("name"), equals: "Ada") }
                log.changes.append(change)
            }
            #expect(log.count == 1 && log.last?.newValue == "Ada" && log.last?.oldValue == nil)
            person.setValue("Bea", forKey: "name")
            expect(log.changes.map(\.isPrior), equals: [false, true, false])
            #expect(log.changes[1].oldValue == "Ada" && log.changes[1].newValue == nil)
            #expect(log.changes[2].oldValue == "Ada" && log.changes[2].newValue == "Bea")
            observation.invalidate()
        }
    }

    @Test func nilIsAValueOfAnOptionalType() throws {
        let stack = try Author.stack()
        try stack.context.run { () throws in
            let person = person(stack)
            let log = Log<String?>()
            let observation = person.observe(\.name, options: [.old, .new]) { _, change in
                log.changes.append(change)
            }
            person.name = nil
            #expect(log.last?.newValue == .some(nil) && log.last?.oldValue == .some("Ada"))
            observation.invalidate()
        }
    }

    @Test func anObservationEndsWithItsToken() throws {
        let stack = try Author.stack()
        try stack.context.run { () throws in
            let person = person(stack)
            var count = 0
            do {
                let observation = person.observe("name") { _, _ in count += 1 }
                person.setValue("Bea", forKey: "name")
                withExtendedLifetime(observation) {}
            }
            person.setValue("Cleo", forKey: "name")
            expect(count, equals: 1)
        }
    }

    @Test func anObservationDoesNotKeepItsObject() throws {
        let stack = try Author.stack()
        try stack.context.run { () throws in
            var person: Author? = self.person(stack)
            weak let weakPerson = person
            try stack.context.save()
            let observation = person?.observe("name") { _, _ in }
            person = nil
            #expect(weakPerson == nil)
            observation?.invalidate()
        }
    }

    @Test func anObserverMayEndItselfAndChangeTheObject() throws {
        let stack = try Author.stack()
        try stack.context.run { () throws in
            let person = person(stack)
            var observation: NSKeyValueObservation?
            var count = 0
            observation = person.observe("name") { object, _ in
                count += 1
                if count == 2 { observation?.invalidate() }
                object.setValue("again", forKey: "name")
            }
            person.setValue("Bea", forKey: "name")
            #expect(count == 2 && person.name == "again")
        }
    }

    @Test func calculatedKeysAndWhatTheyDependOn() throws {
        let stack = try Author.stack()
        try stack.context.run { () throws in
            let person = person(stack, ["name": "Ada", "age": 1])
            let log = Log<String>()
            let observation = person.observe("sign", as: String.self, options: [.old, .new]) { _, change in
                log.changes.append(change)
            }
            person.setValue(2, forKey: "age")
            #expect(log.last?.oldValue == "<Ada (1)>" && log.last?.newValue == "<Ada (2)>")
            person.setValue("Bea", forKey: "name")
            #expect(log.count == 2 && log.last?.newValue == "<Bea (2)>")
            person.setValue(1.5, forKey: "height")
            expect(log.count, equals: 2)
            observation.invalidate()
        }
    }

    @Test func flags() throws {
        let stack = try Author.stack()
        try stack.context.run { () throws in
            let person = person(stack)
            try stack.context.save()
            var seen: [String] = []
            let keys = ["hasChanges", "isUpdated", "isDeleted", "isFault"]
            let observation = person.observe(keys, options: [.old, .new]) { _, key, change in
                seen.append("\(key) \(change.oldValue ?? "") \(change.newValue ?? "")")
            }
            person.setValue("Bea", forKey: "name")
            expect(Set(seen), equals: ["hasChanges 0 1", "isUpdated 0 1"])
            seen = []
            try stack.context.save()
            expect(Set(seen), equals: ["hasChanges 1 0", "isUpdated 1 0"])
            seen = []
            stack.context.delete(person)
            expect(Set(seen), equals: ["hasChanges 0 1", "isDeleted 0 1"])
            seen = []
            stack.context.rollback()
            expect(Set(seen), equals: ["hasChanges 1 0", "isDeleted 1 0"])
            seen = []
            stack.context.refresh(person, mergeChanges: false)
            expect(seen, equals: ["isFault 0 1"])
            _ = person.name
            expect(seen.last, equals: "isFault 1 0")
            observation.invalidate()
        }
    }

    @Test func whatCannotBeObserved() async {
        await #expect(processExitsWith: .failure) {
            let stack = try Author.stack()
            try stack.context.run { () throws in
                _ = stack.context.make("Person").observe("nonsense") { _, _ in }
            }
        }
        await #expect(processExitsWith: .failure) {
            let stack = try Author.stack()
            try stack.context.run { () throws in
                _ = stack.context.make("Company").observe("people.name") { _, _ in }
            }
        }
        await #expect(processExitsWith: .failure) {
            let stack = try Author.stack()
            try stack.context.run { () throws in
                _ = (stack.context.make("Person") as? Author)?.observe(\.unnamed) { _, _ in }
            }
        }
    }

    @Test func rawValuesAreApples() {
        let kinds: [NSKeyValueChange] = [.setting, .insertion, .removal, .replacement]
        #expect(NSKeyValueObservedChange<Any>.Kind.self == NSKeyValueChange.self)
        expect(kinds.map(\.rawValue), equals: [1, 2, 3, 4])
        let options: [NSKeyValueObservingOptions] = [.new, .old, .initial, .prior]
        expect(options.map(\.rawValue), equals: [1, 2, 4, 8])
        expect(NSKeyValueObservingOptions(rawValue: 3), equals: [.new, .old])
        let mutations: [NSKeyValueSetMutationKind] = [.union, .minus, .intersect, .set]
        expect(mutations.map(\.rawValue), equals: [1, 2, 3, 4])
        #expect((NSManagedObject.self as Any) is any KeyObserving.Type)
    }

    @Test func whatAChildSavesIsToldInTheParent() throws {
        let stack = try Author.stack()
        try stack.context.run { () throws in
            let context = stack.context
            let person = person(stack, ["name": "Ada", "age": 1])
            let company = context.make("Company", ["name": "A"])
            try context.save()
            let id = person.objectID
            let companyID = company.objectID
            var seen: [String] = []
            let observations = [
                person.observe(["name", "age", "company"]) { object, key, _ in
                    expect(company.relatedObjects(forKey: "people").count, equals: 1)
                    seen.append("\(key) \(object["name"] ?? "")")
                },
                company.observe("people") { _, _ in seen.append("people") },
            ]
            let child = NSManagedObjectContext(.privateQueue)
            child.parent = context
            try child.run { () throws in
                let same = child.object(with: id)
                same.setValue("Bea", forKey: "name")
                same.setValue(child.object(with: companyID), forKey: "company")
                try child.save()
            }
            #expect(Set(seen) == ["name Bea", "company Bea", "people"] && seen.count == 3)
            for observation in observations { observation.invalidate() }
        }
    }

    @Test func mergesTellOfWhatDiffers() throws {
        let stack = try Author.stack()
        try stack.context.run { () throws in
            let context = stack.context
            let company = context.make("Company", ["name": "A"])
            let person = person(stack, ["name": "Ada", "age": 1])
            try context.save()
            _ = company.relatedObjects(forKey: "people").count
            let other = stack.another()
            let saves = Posted(.NSManagedObjectContextDidSave, other)
            try other.run { () throws in
                let same = try other.all("Person")[0]
                same.setValue(2, forKey: "age")
                same.setValue(try other.all("Company")[0], forKey: "company")
                try other.save()
            }
            var seen: [String] = []
            let observations = [
                person.observe(["name", "age"], options: .old) { object, key, change in
                    seen.append("\(key) \(change.oldValue ?? "") \(object.value(forKey: key) ?? "")")
                },
                company.observe("people") { object, _ in
                    seen.append("people \(object.relatedObjects(forKey: "people").count)")
                },
            ]
            let save = Notification(
                name: .NSManagedObjectContextDidSave, object: other, userInfo: saves.userInfo)
            context.mergeChanges(fromContextDidSave: save)
            expect(seen.sorted(), equals: ["age 1 2", "people 1"])
            for observation in observations { observation.invalidate() }
        }
    }

    @Test func undoAndRedoTellOfWhatDiffers() throws {
        let stack = try Author.stack()
        try stack.context.run { () throws in
            let context = stack.context
            let company = context.make("Company", ["name": "A"])
            let person = person(stack, ["name": "Ada", "age": 1])
            try context.save()
            context.undoManager = UndoManager()
            person["name"] = "Bea"
            person["company"] = company
            context.processPendingChanges()
            var seen: [String] = []
            let observation = person.observe(["name", "age", "company"]) { object, key, _ in
                // The other side is back by now.
                let isMember = company.relatedObjects(forKey: "people").contains(object)
                expect(isMember, equals: (object["company"] != nil))
                seen.append("\(key) \(object["name"] ?? "")")
            }
            context.undo()
            expect(seen.sorted(), equals: ["company Ada", "name Ada"])
            seen = []
            context.redo()
            expect(seen.sorted(), equals: ["company Bea", "name Bea"])
            observation.invalidate()
        }
    }
}
