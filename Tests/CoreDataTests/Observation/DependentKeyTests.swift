// Observers of a key are told of changes of what its value is made of, as classes for Apple's systems say it.

import CoreData
import CoreDataTestSupport
import Testing

/// A class as it is written for Apple's systems, but for the getters.
private class Employee: NSManagedObject {
    var label: String { "\(value(forKey: "name") ?? "-") at \(value(forKeyPath: "company.name") ?? "-")" }

    override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
        var keyPaths = super.keyPathsForValuesAffectingValue(forKey: key)
        switch key {
        case "label": keyPaths.formUnion(["name", "company.name"])
        case "badge": keyPaths.insert("label")
        case "isActive": keyPaths.insert("age")
        default: break
        }
        return keyPaths
    }

    override class func automaticallyNotifiesObservers(forKey key: String) -> Bool {
        key == "badge" || super.automaticallyNotifiesObservers(forKey: key)
    }

    class func keyPathsForValuesAffectingNote() -> Set<String> { ["height"] }

    override class func registerKeys(in keys: inout KeyRegistry) {
        super.registerKeys(in: &keys)
        keys.getter("label", \Employee.label)
        keys.getter("badge") { (employee: Employee) in "<\(employee.label)>" }
        keys.getter("note") { (employee: Employee) in "\(employee.value(forKey: "height") ?? "-")" }
        keys.dependency("note", on: keyPathsForValuesAffectingNote())
    }
}

/// The notifications of observers, in order.
private final class Log {
    var lines: [String] = []

    func take() -> [String] {
        defer { lines = [] }
        return lines
    }
}

@Suite struct DependentKeyTests {
    private func run(_ body: (TestStack, Employee) throws -> Void) throws {
        let model = CompanyModel.make()
        model.entitiesByName["Person"]?.managedObjectClassName = "Employee"
        Employee.registerClass()
        let stack = try TestStack(model: model)
        try stack.context.run {
            try body(stack, #require(stack.context.make("Person", ["name": "Ada"]) as? Employee))
        }
    }

    private func observe(
        _ employee: Employee, _ key: String, _ log: Log,
        options: NSKeyValueObservingOptions = [.old, .new]
    ) -> NSKeyValueObservation {
        employee.observe(key, options: options) { object, change in
            #expect(object === employee && change.kind == .setting)
            let values = [change.oldValue, change.newValue].map { $0.map { "\($0)" } ?? "nil" }
            log.lines.append(change.isPrior ? "prior \(values[0])" : values.joined(separator: " > "))
        }
    }

    @Test func classesSayWhichKeysTheyTellOf() {
        expect(Employee.automaticallyNotifiesObservers(forKey: "name"), equals: false)
        expect(Employee.automaticallyNotifiesObservers(forKey: "badge"), equals: true)
    }

    @Test func keysOfTheObject() throws {
        try run { _, employee in
            let log = Log()
            let label = observe(employee, "label", log)
            employee.setValue("Bea", forKey: "name")
            expect(log.take(), equals: ["Ada at - > Bea at -"])
            employee.setValue(3, forKey: "age")
            #expect(log.take().isEmpty)
            label.invalidate()
            let badge = observe(employee, "badge", log)
            employee.setValue("Cleo", forKey: "name")
            expect(log.take(), equals: ["<Bea at -> > <Cleo at ->"])
            badge.invalidate()
            // The model's own keys may depend on others too.
            let flag = observe(employee, "isActive", log, options: [])
            employee.setValue(4, forKey: "age")
            expect(log.take().count, equals: 1)
            flag.invalidate()
            let note = observe(employee, "note", log)
            employee.setValue(1.5, forKey: "height")
            expect(log.take().last?.hasSuffix("> 1.5"), equals: true)
            note.invalidate()
        }
    }

    @Test func pathsToOtherObjects() throws {
        try run { stack, employee in
            let log = Log()
            let company = stack.context.make("Company", ["name": "Acme"])
            let other = stack.context.make("Company", ["name": "Umbrella"])
            let label = observe(employee, "label", log, options: [.old, .new, .prior])
            employee.setValue(company, forKey: "company")
            expect(log.take(), equals: ["prior Ada at -", "Ada at - > Ada at Acme"])
            company.setValue("Ajax", forKey: "name")
            expect(log.take(), equals: ["prior Ada at Acme", "Ada at Acme > Ada at Ajax"])
            employee.setValue(other, forKey: "company")
            expect(log.take(), equals: ["prior Ada at Ajax", "Ada at Ajax > Ada at Umbrella"])
            company.setValue("Zeta", forKey: "name")
            #expect(log.take().isEmpty)
            let badge = observe(employee, "badge", log, options: .new)
            label.invalidate()
            other.setValue("Vesta", forKey: "name")
            expect(log.take(), equals: ["nil > <Ada at Vesta>"])
            badge.invalidate()
            other.setValue("Xeno", forKey: "name")
            #expect(log.take().isEmpty)
        }
    }

    @Test func aKeyThatOnlyDependencesName() throws {
        final class Plain: Employee {
            override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
                key == "mood" ? ["age"] : super.keyPathsForValuesAffectingValue(forKey: key)
            }
            override func value(forUndefinedKey key: String) -> Any? {
                "\(key) \(value(forKey: "age") ?? "")"
            }
        }
        let model = CompanyModel.make()
        model.entitiesByName["Person"]?.managedObjectClassName = "PlainEmployee"
        Plain.registerClass(named: "PlainEmployee")
        let stack = try TestStack(model: model)
        try stack.context.run {
            let plain = try #require(stack.context.make("Person", ["age": 1]) as? Plain)
            let log = Log()
            let observation = observe(plain, "mood", log)
            plain.setValue(2, forKey: "age")
            expect(log.take(), equals: ["mood 1 > mood 2"])
            observation.invalidate()
        }
    }

    @Test func whatTheClassStates() {
        expect(Employee.keyPathsForValuesAffectingValue(forKey: "note"), equals: ["height"])
        expect(Employee.keyPathsForValuesAffectingValue(forKey: "label"), equals: ["name", "company.name"])
        #expect(NSManagedObject.keyPathsForValuesAffectingValue(forKey: "label").isEmpty)
    }
}
