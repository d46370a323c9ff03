import CoreData
import CoreDataTestSupport
import Testing

@Suite struct RelationshipObservingTests {
    /// The notifications of a relationship's observers: kind, old and new names.
    private final class Log {
        var lines: [String] = []

        func note(_ label: String, _ change: NSKeyValueObservedChange<Any>) {
            lines.append("\(label) \(change.kind) \(names(change.oldValue)) \(names(change.newValue))")
        }

        private func name(_ object: NSManagedObject?) -> String {
            object?.text(object?.entity.name == "Project" ? "title" : "name") ?? ""
        }

        private func names(_ value: Any?) -> String {
            switch value {
            case let object as NSManagedObject: object.text("name") ?? ""
            case let set as NSSet:
                "\(set.allObjects.map { name($0 as? NSManagedObject) }.sorted())"
            case let set as NSOrderedSet: "\(set.array.compactMap { ($0 as? NSManagedObject)?.text("text") })"
            default: "-"
            }
        }
    }

    @Test func changesOfSeveralMembersOfASetAreToldAtOnce() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let person = stack.context.make("Person")
            let projects = "abcd".map { stack.context.make("Project", ["title": String($0)]) }
            let log = Log()
            let observation = person.observe("projects", options: [.old, .new]) { _, change in
                for project in projects {
                    let members = project.value(forKey: "members") as? NSSet
                    expect(
                        members?.contains(person),
                        equals: person.relatedObjects(forKey: "projects").contains(project))
                }
                log.note("", change)
            }
            let set = person.mutableSetValue(forKey: "projects")
            func told(_ change: () -> Void) -> [String] {
                log.lines = []
                change()
                return log.lines
            }
            expect(told { set.add(projects[0]) }, equals: [" insertion - [\"a\"]"])
            expect(
                told { set.addObjects(from: [projects[0], projects[1], projects[1], projects[2]]) },
                equals: [" insertion - [\"b\", \"c\"]"])
            expect(told { set.union([projects[0], projects[1]]) }, equals: [])
            expect(told { set.minus([projects[0], projects[3]]) }, equals: [" removal [\"a\"] -"])
            expect(told { set.union([projects[0], projects[3]]) }, equals: [" insertion - [\"a\", \"d\"]"])
            expect(
                told { set.intersect([projects[0], projects[1]]) }, equals: [" removal [\"c\", \"d\"] -"])
            expect(
                told { set.setSet([projects[1], projects[2]]) },
                equals: [" setting [\"a\", \"b\"] [\"b\", \"c\"]"])
            expect(told { set.removeAllObjects() }, equals: [" removal [\"b\", \"c\"] -"])
            expect(set.count, equals: 0)
            observation.invalidate()
        }
    }

    @Test func changesOfAnOrderedSetAreToldByPlace() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let person = stack.context.make("Person")
            let notes = "abcde".map { stack.context.make("Note", ["text": String($0)]) }
            let log = Log()
            let observation = person.observe("notes", options: [.old, .new]) { _, change in
                log.note("\(change.indexes.map(Array.init) ?? [])", change)
            }
            let set = person.mutableOrderedSetValue(forKey: "notes")
            func told(_ change: () -> Void) -> [String] {
                log.lines = []
                change()
                return log.lines
            }
            expect(
                told { set.addObjects(from: Array(notes[0...1])) },
                equals: ["[0, 1] insertion - [\"a\", \"b\"]"])
            expect(told { set.insert(notes[2], at: 0) }, equals: ["[0] insertion - [\"c\"]"])
            expect(
                told { set.insert([notes[3], notes[4]], at: IndexSet([1, 4])) },
                equals: ["[1, 4] insertion - [\"d\", \"e\"]"])
            expect(
                told { set.removeObjects(at: IndexSet([1, 4])) }, equals: ["[1, 4] removal [\"d\", \"e\"] -"])
            expect(
                told { set.replaceObject(at: 1, with: notes[3]) },
                equals: ["[1] replacement [\"a\"] [\"d\"]"])
            expect(
                told { set.exchangeObject(at: 0, withObjectAt: 2) },
                equals: ["[0, 2] replacement [\"c\", \"b\"] [\"b\", \"c\"]"])
            expect(
                told { set.sort(using: [NSSortDescriptor(key: "text", ascending: true)]) },
                equals: ["[1, 2] replacement [\"d\", \"c\"] [\"c\", \"d\"]"])
            expect(
                told { set.removeAllObjects() }, equals: ["[0, 1, 2] removal [\"b\", \"c\", \"d\"] -"])
            expect(
                told { person.setValue(NSOrderedSet(array: notes), forKey: "notes") },
                equals: ["[] setting [] [\"a\", \"b\", \"c\", \"d\", \"e\"]"])
            observation.invalidate()
        }
    }

    @Test func bothSidesAreTold() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let (first, second) = (
                stack.context.make("Company", ["name": "A"]), stack.context.make("Company", ["name": "B"])
            )
            let person = stack.context.make("Person", ["name": "Ada"])
            let log = Log()
            let observations = [
                person.observe("company", options: [.old, .new]) { _, change in
                    // Both sides are set by now.
                    for company in [first, second] where !company.isDeleted {
                        let isMember = company.relatedObjects(forKey: "people").contains(person)
                        expect(isMember, equals: (person["company"] as? NSManagedObject === company))
                    }
                    log.note("person", change)
                },
                first.observe("people", options: [.old, .new]) { _, change in log.note("first", change) },
                second.observe("people", options: [.old, .new]) { _, change in log.note("second", change) },
            ]
            person.setValue(first, forKey: "company")
            expect(Set(log.lines), equals: ["person setting - A", "first insertion - [\"Ada\"]"])
            log.lines = []
            second.mutableSetValue(forKey: "people").add(person)
            expect(
                Set(log.lines),
                equals: [
                    "person setting A B", "first removal [\"Ada\"] -", "second insertion - [\"Ada\"]",
                ])
            log.lines = []
            second.setValue(NSSet(), forKey: "people")
            expect(Set(log.lines), equals: ["person setting B -", "second setting [\"Ada\"] []"])
            log.lines = []
            person[ManagedRelationship("company")] = first
            expect(Set(log.lines), equals: ["person setting - A", "first insertion - [\"Ada\"]"])
            log.lines = []
            stack.context.delete(first)
            stack.context.processPendingChanges()
            expect(log.lines, equals: ["person setting A -"])
            for observation in observations { observation.invalidate() }
        }
    }

    @Test func orderedRelationshipsTellPlaces() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let person = stack.context.make("Person", ["name": "Ada"])
            let notes = ["a", "b"].map { stack.context.make("Note", ["text": $0]) }
            let log = Log()
            var places: [IndexSet?] = []
            let observation = person.observe("notes", options: [.old, .new]) { _, change in
                log.note("notes", change)
                places.append(change.indexes)
            }
            let relation = ManagedRelationship("notes")
            person.add(notes[0], to: relation)
            person.insert(notes[1], into: relation, at: 0)
            person.removeObject(at: 1, from: relation)
            expect(
                log.lines,
                equals: [
                    "notes insertion - [\"a\"]", "notes insertion - [\"b\"]", "notes removal [\"a\"] -",
                ])
            expect(places, equals: [[0], [0], [1]])
            observation.invalidate()
        }
    }

    @Test func manyToManyAndCascades() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let person = stack.context.make("Person", ["name": "Ada"])
            let project = stack.context.make("Project", ["title": "P"])
            let log = Log()
            let observations = [
                person.observe("projects", options: [.old, .new]) { _, change in log.note("projects", change)
                },
                project.observe("members", options: [.old, .new]) { _, change in log.note("members", change)
                },
            ]
            project.mutableSetValue(forKey: "members").add(person)
            expect(Set(log.lines), equals: ["projects insertion - [\"P\"]", "members insertion - [\"Ada\"]"])
            log.lines = []
            person.mutableSetValue(forKey: "projects").remove(project)
            expect(Set(log.lines), equals: ["projects removal [\"P\"] -", "members removal [\"Ada\"] -"])
            for observation in observations { observation.invalidate() }
        }
    }

    @Test func pathsFollowTheWay() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let (first, second) = (
                stack.context.make("Company", ["name": "A"]), stack.context.make("Company", ["name": "B"])
            )
            let person = stack.context.make("Person", ["name": "Ada", "company": first])
            var seen: [String] = []
            let observation = person.observe(
                "company.name", as: String.self, options: [.old, .new, .initial]
            ) { _, change in
                seen.append("\(change.oldValue ?? "-") \(change.newValue ?? "-")")
            }
            first.setValue("A2", forKey: "name")
            person.setValue(second, forKey: "company")
            first.setValue("A3", forKey: "name")
            second.setValue("B2", forKey: "name")
            person.setValue(nil, forKey: "company")
            second.setValue("B3", forKey: "name")
            expect(seen, equals: ["- A", "A A2", "A2 B", "B B2", "B2 -"])
            observation.invalidate()
            person.setValue(first, forKey: "company")
            expect(seen.count, equals: 5)
        }
    }

    @Test func handWrittenSetMutations() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let company = stack.context.make("Company", ["name": "A"])
            let person = stack.context.make("Person", ["name": "Ada"])
            let log = Log()
            let observation = company.observe("people", options: [.old, .new]) { _, change in
                log.note("people", change)
            }
            company.willChangeValue(forKey: "people", withSetMutation: .union, using: [person])
            company.setPrimitiveValue(NSSet(object: person), forKey: "people")
            company.didChangeValue(forKey: "people", withSetMutation: .union, using: [person])
            company.willChangeValue(forKey: "people", withSetMutation: .minus, using: [person])
            company.setPrimitiveValue(NSSet(), forKey: "people")
            company.didChangeValue(forKey: "people", withSetMutation: .minus, using: [person])
            expect(log.lines, equals: ["people insertion - [\"Ada\"]", "people removal [\"Ada\"] -"])
            company.setPrimitiveValue(NSSet(object: person), forKey: "people")
            #expect(log.lines.count == 2 && company.relatedObjects(forKey: "people").count == 1)
            observation.invalidate()
        }
    }

    @Test func handWrittenChangesAtPlaces() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let person = stack.context.make("Person", ["name": "Ada"])
            let notes = ["a", "b", "c", "d"].map { stack.context.make("Note", ["text": $0]) }
            let log = Log()
            var places: [IndexSet?] = []
            let observation = person.observe("notes", options: [.old, .new]) { _, change in
                log.note("notes", change)
                places.append(change.indexes)
            }
            func announce(_ kind: NSKeyValueChange, at indexes: IndexSet, members: [Int]) {
                person.willChange(kind, valuesAt: indexes, forKey: "notes")
                person.setPrimitiveValue(NSOrderedSet(array: members.map { notes[$0] }), forKey: "notes")
                person.didChange(kind, valuesAt: indexes, forKey: "notes")
            }
            announce(.insertion, at: [0, 1], members: [0, 1])
            announce(.insertion, at: [1], members: [0, 2, 1])
            announce(.replacement, at: [0], members: [3, 2, 1])
            announce(.removal, at: [0, 2, 9], members: [2])
            announce(.setting, at: [0], members: [])
            expect(
                log.lines,
                equals: [
                    "notes insertion - [\"a\", \"b\"]", "notes insertion - [\"c\"]",
                    "notes replacement [\"a\"] [\"d\"]", "notes removal [\"d\", \"b\"] -",
                    "notes setting [\"c\"] []",
                ])
            expect(places, equals: [[0, 1], [1], [0], [0, 2, 9], nil])
            observation.invalidate()
        }
    }

    @Test func anAnnouncementWithinAChangeIsNotThatOfTheNextOne() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let person = stack.context.make("Person", ["name": "Ada"])
            var seen: [String] = []
            let observation = person.observe(["name", "notes"]) { _, key, change in
                seen.append("\(key) \(change.kind)")
            }
            person.willChangeValue(forKey: "notes")
            person.willChange(.insertion, valuesAt: [0], forKey: "notes")
            person.didChange(.insertion, valuesAt: [0], forKey: "notes")
            person.didChangeValue(forKey: "notes")
            person.setValue("Bea", forKey: "name")
            expect(seen, equals: ["notes setting", "name setting"])
            observation.invalidate()
        }
    }

    @Test func refreshRollbackAndFaulting() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let context = stack.context
            let company = context.make("Company", ["name": "A"])
            let person = context.make("Person", ["name": "Ada", "age": 1, "company": company])
            try context.save()
            var seen: [String] = []
            let observation = person.observe(["name", "age", "company"], options: .old) {
                object, key, change in
                let now = object.value(forKey: key)
                seen.append("\(key) \(key == "company" ? "" : "\(change.oldValue ?? "-") \(now ?? "-")")")
            }
            person.setValue("Bea", forKey: "name")
            person.setValue(nil, forKey: "company")
            seen = []
            context.rollback()
            expect(seen.sorted(), equals: ["company ", "name Bea Ada"])

            let other = stack.another()
            try other.run { () throws in
                try other.all("Person")[0].setValue(2, forKey: "age")
                try other.save()
            }
            person.setValue("Cleo", forKey: "name")
            seen = []
            context.refresh(person, mergeChanges: true)
            #expect(seen == ["age 1 2"] && person.text("name") == "Cleo")
            seen = []
            context.refresh(person, mergeChanges: false)
            expect(seen.sorted(), equals: ["age 2 2", "company ", "name Cleo Ada"])
            observation.invalidate()
        }
    }
}
