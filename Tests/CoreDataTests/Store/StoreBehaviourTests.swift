// What every store must do alike.

import CoreData
import Foundation
import Testing

struct StoreBehaviourTests {
    /// Six people in two departments, with a boss, friends and projects.
    private func filled(_ kind: StoreKind) throws -> StoreFixture {
        let fixture = try StoreFixture(kind)
        let sales = try fixture.insert("Department", ["name": "Sales", "budget": 100])
        let lab = try fixture.insert("Department", ["name": "Lab", "budget": 50])
        func date(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }
        let anna = try fixture.insert(
            "Employee",
            [
                "name": "Anna", "age": 40, "height": 1.7, "salary": Decimal(string: "1000.50") as Any,
                "born": date(100),
                "active": true, "title": "Head", "department": sales, "score": 10,
                "uuid": UUID(uuidString: "00000000-0000-0000-0000-000000000001") as Any,
                "site": URL(string: "http://a.example") as Any, "photo": Data([1, 2]), "tags": ["x", "y"],
            ])
        let ben = try fixture.insert(
            "Employee",
            [
                "name": "Ben", "age": 30, "height": 1.8, "salary": Decimal(800), "born": date(200),
                "active": false,
                "title": "Clerk", "department": sales, "boss": anna, "score": 20,
            ])
        let cleo = try fixture.insert(
            "Person",
            ["name": "Cleo", "age": 30, "height": 1.6, "active": true, "department": lab, "boss": anna])
        let dora = try fixture.insert("Person", ["name": "Ärmel", "age": 20, "department": lab, "score": 5])
        try fixture.insert("Person", ["name": "ben", "age": 61])
        try fixture.insert("Person", ["age": 50])
        anna.mutableSetValue(forKey: "friends").add(ben)
        anna.mutableSetValue(forKey: "friends").add(cleo)
        for (name, people) in [("P1", [anna, ben]), ("P2", [cleo]), ("P3", [])] {
            let project = try fixture.insert("Project", ["name": name, "department": sales])
            for person in people { project.mutableSetValue(forKey: "people").add(person) }
        }
        dora.mutableSetValue(forKey: "notes").add(try fixture.insert("Note", ["text": "hello"]))
        try fixture.context.save()
        return fixture
    }

    private func names(
        _ context: NSManagedObjectContext, _ predicate: NSPredicate?, entity: String = "Person"
    ) throws -> [String] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = predicate
        return try context.fetch(request).map { $0.value(forKey: "name") as? String ?? "-" }.sorted()
    }

    @Test(arguments: StoreKind.allCases)
    func predicatesFindTheSameRows(_ kind: StoreKind) throws {
        let fixture = try filled(kind)
        let context = fixture.otherContext()
        let cases: [(String, [Any], [String])] = [
            ("age == 30", [], ["Ben", "Cleo"]),
            ("age != 30", [], ["-", "Anna", "ben", "Ärmel"]),
            ("age > 30 AND age <= 50", [], ["-", "Anna"]),
            ("age BETWEEN {20, 30}", [], ["Ben", "Cleo", "Ärmel"]),
            ("age IN %@", [[20, 40]], ["Anna", "Ärmel"]),
            ("NOT age IN %@", [[20, 40, 50, 61]], ["Ben", "Cleo"]),
            ("name == 'Ben'", [], ["Ben"]),
            ("name ==[c] 'BEN'", [], ["Ben", "ben"]),
            ("name BEGINSWITH 'B'", [], ["Ben"]),
            ("name BEGINSWITH[c] 'b'", [], ["Ben", "ben"]),
            ("name ENDSWITH 'o'", [], ["Cleo"]),
            ("name CONTAINS[cd] 'arm'", [], ["Ärmel"]),
            ("name LIKE 'B*'", [], ["Ben"]),
            ("name LIKE[c] '?en'", [], ["Ben", "ben"]),
            ("name MATCHES '[AB].*'", [], ["Anna", "Ben"]),
            ("name == nil", [], ["-"]),
            ("name != nil AND age > 45", [], ["ben"]),
            ("height > 1.65", [], ["Anna", "Ben"]),
            ("salary == %@", [Decimal(string: "1000.50") as Any], ["Anna"]),
            ("salary < 900", [], ["Ben"]),
            ("born > %@", [Date(timeIntervalSinceReferenceDate: 150)], ["Ben"]),
            ("active == YES", [], ["Anna", "Cleo"]),
            ("active == NO", [], ["Ben"]),
            ("uuid == %@", [UUID(uuidString: "00000000-0000-0000-0000-000000000001") as Any], ["Anna"]),
            ("site == %@", [URL(string: "http://a.example") as Any], ["Anna"]),
            ("photo == %@", [Data([1, 2])], ["Anna"]),
            ("department.name == 'Sales'", [], ["Anna", "Ben"]),
            ("department.budget < 80", [], ["Cleo", "Ärmel"]),
            ("department == nil", [], ["-", "ben"]),
            ("boss.name == 'Anna'", [], ["Ben", "Cleo"]),
            ("boss.department.name == 'Sales'", [], ["Ben", "Cleo"]),
            ("ANY reports.age == 30", [], ["Anna"]),
            ("reports.@count == 2", [], ["Anna"]),
            ("reports.@count > 0 OR age == 20", [], ["Anna", "Ärmel"]),
            ("friends.@count == 1", [], ["Ben", "Cleo"]),
            ("ANY friends.name == 'Ben'", [], ["Anna"]),
            ("ANY projects.name == 'P2'", [], ["Cleo"]),
            ("ANY notes.text == 'hello'", [], ["Ärmel"]),
            ("SUBQUERY(reports, $r, $r.age == 30 AND $r.active == YES).@count == 1", [], ["Anna"]),
            ("reports.@max.age == 30", [], ["Anna"]),
            ("age + 10 == 50", [], ["Anna"]),
            ("score * 2 == 20", [], ["Anna"]),
            ("TRUEPREDICATE", [], ["-", "Anna", "Ben", "Cleo", "ben", "Ärmel"]),
            ("FALSEPREDICATE", [], []),
        ]
        for (format, arguments, expected) in cases {
            let found = try names(context, NSPredicate(format: format, argumentArray: arguments))
            #expect(found == expected.sorted(), "\(format)")
        }
        #expect(try names(context, NSPredicate(format: "title == 'Head'"), entity: "Employee") == ["Anna"])
    }

    @Test(arguments: StoreKind.allCases)
    func objectsInPredicates(_ kind: StoreKind) throws {
        let fixture = try filled(kind)
        let context = fixture.otherContext()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.predicate = NSPredicate(format: "name == 'Anna'")
        let anna = try #require(try context.fetch(request).first)
        #expect(try names(context, NSPredicate(format: "boss == %@", anna)) == ["Ben", "Cleo"])
        #expect(try names(context, NSPredicate(format: "boss == %@", anna.objectID)) == ["Ben", "Cleo"])
        #expect(try names(context, NSPredicate(format: "SELF == %@", anna)) == ["Anna"])
        #expect(try names(context, NSPredicate(format: "SELF IN %@", [anna.objectID])) == ["Anna"])
        #expect(try names(context, NSPredicate(format: "%@ IN friends", anna)) == ["Ben", "Cleo"])
        #expect(try names(context, NSPredicate(format: "friends CONTAINS %@", anna)) == ["Ben", "Cleo"])
        #expect(
            try names(context, NSPredicate(format: "boss != nil AND boss.reports.@count == 2")) == [
                "Ben", "Cleo",
            ])
    }

    @Test(arguments: StoreKind.allCases)
    func sortingLimitAndOffset(_ kind: StoreKind) throws {
        let context = try filled(kind).context
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.sortDescriptors = [
            NSSortDescriptor(key: "age", ascending: false), NSSortDescriptor(key: "name", ascending: true),
        ]
        func ages() throws -> [Int] {
            try context.fetch(request).map { $0.value(forKey: "age") as? Int ?? 0 }
        }
        #expect(try ages() == [61, 50, 40, 30, 30, 20])
        request.fetchLimit = 2
        #expect(try ages() == [61, 50])
        request.fetchOffset = 3
        #expect(try ages() == [30, 30])
        #expect(try context.count(for: request) == 2)
        request.fetchLimit = 0
        request.fetchOffset = 5
        #expect(try ages() == [20])
        request.fetchOffset = 0
        request.sortDescriptors = [
            NSSortDescriptor(key: "department.name", ascending: true),
            NSSortDescriptor(key: "age", ascending: true),
        ]
        #expect(try ages() == [50, 61, 20, 30, 30, 40])
        request.includesSubentities = false
        #expect(try context.count(for: request) == 4)
        let employees = NSFetchRequest<NSManagedObjectID>(entityName: "Employee")
        employees.resultType = .managedObjectIDResultType
        #expect(try Set(context.fetch(employees).map { $0.entity.name }) == ["Employee"])
    }

    @Test(arguments: StoreKind.allCases)
    func valuesComeBack(_ kind: StoreKind) throws {
        let fixture = try filled(kind)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.predicate = NSPredicate(format: "name == 'Anna'")
        let anna = try #require(try fixture.otherContext().fetch(request).first)
        #expect(anna.entity.name == "Employee")
        #expect(anna.value(forKey: "age") as? Int == 40)
        #expect(anna.value(forKey: "height") as? Double == 1.7)
        #expect(
            (anna.value(forKey: "salary") as? NSDecimalNumber)?.decimalValue == Decimal(string: "1000.50"))
        #expect(anna.value(forKey: "born") as? Date == Date(timeIntervalSinceReferenceDate: 100))
        #expect(anna.value(forKey: "active") as? Bool == true)
        #expect((anna.value(forKey: "uuid") as? UUID)?.uuidString == "00000000-0000-0000-0000-000000000001")
        #expect(anna.value(forKey: "site") as? URL == URL(string: "http://a.example"))
        #expect(anna.value(forKey: "photo") as? Data == Data([1, 2]))
        #expect(anna.value(forKey: "tags") as? [String] == ["x", "y"])
        #expect(anna.value(forKey: "title") as? String == "Head")
    }

    private func members(_ object: NSManagedObject, _ key: String) -> [String] {
        let value = object.value(forKey: key)
        let all = (value as? NSOrderedSet)?.array ?? (value as? NSSet)?.allObjects ?? []
        let names = all.compactMap { ($0 as? NSManagedObject)?.value(forKey: "name") as? String }
        return value is NSOrderedSet ? names : names.sorted()
    }

    private func one(_ context: NSManagedObjectContext, _ entity: String, _ name: String) throws
        -> NSManagedObject
    {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = NSPredicate(format: "name == %@", name)
        return try #require(try context.fetch(request).first)
    }

    @Test(arguments: StoreKind.allCases)
    func relationshipsAreReadAndChanged(_ kind: StoreKind) throws {
        let fixture = try filled(kind)
        let context = fixture.otherContext()
        let sales = try one(context, "Department", "Sales")
        let anna = try one(context, "Person", "Anna")
        #expect(members(sales, "members") == ["Anna", "Ben"])
        #expect(members(sales, "projects") == ["P1", "P2", "P3"])
        #expect(members(anna, "friends") == ["Ben", "Cleo"])
        #expect(members(anna, "projects") == ["P1"])
        #expect((try one(context, "Person", "Ärmel").value(forKey: "notes") as? NSSet)?.count == 1)
        let projects = sales.mutableOrderedSetValue(forKey: "projects")
        projects.moveObjects(at: IndexSet(integer: 2), to: 0)
        anna.mutableSetValue(forKey: "friends").remove(try one(context, "Person", "Ben"))
        anna.mutableSetValue(forKey: "projects").add(try one(context, "Project", "P3"))
        try one(context, "Person", "Ben").setValue(
            try one(context, "Department", "Lab"), forKey: "department")
        try context.save()
        let fresh = fixture.otherContext()
        #expect(members(try one(fresh, "Department", "Sales"), "projects") == ["P3", "P1", "P2"])
        #expect(members(try one(fresh, "Department", "Sales"), "members") == ["Anna"])
        #expect(members(try one(fresh, "Department", "Lab"), "members") == ["Ben", "Cleo", "Ärmel"].sorted())
        #expect(members(try one(fresh, "Person", "Anna"), "friends") == ["Cleo"])
        #expect(members(try one(fresh, "Person", "Ben"), "friends") == [])
        #expect(members(try one(fresh, "Project", "P3"), "people") == ["Anna"])
    }

    @Test(arguments: StoreKind.allCases)
    func deletedRowsAreGone(_ kind: StoreKind) throws {
        let fixture = try filled(kind)
        let context = fixture.otherContext()
        context.delete(try one(context, "Person", "Anna"))
        context.delete(try one(context, "Project", "P2"))
        try context.save()
        let fresh = fixture.otherContext()
        #expect(try names(fresh, nil) == ["-", "Ben", "Cleo", "ben", "Ärmel"].sorted())
        #expect(try names(fresh, NSPredicate(format: "boss != nil")) == [])
        #expect(members(try one(fresh, "Person", "Ben"), "friends") == [])
        #expect(members(try one(fresh, "Department", "Sales"), "projects") == ["P1", "P3"])
        #expect(members(try one(fresh, "Person", "Cleo"), "projects") == [])
    }

    @Test(arguments: StoreKind.allCases)
    func staleChangesConflict(_ kind: StoreKind) throws {
        let fixture = try filled(kind)
        let (first, second) = (fixture.otherContext(), fixture.otherContext())
        let (mine, theirs) = (try one(first, "Person", "Ben"), try one(second, "Person", "Ben"))
        #expect(mine.value(forKey: "age") as? Int == 30)
        #expect(theirs.value(forKey: "age") as? Int == 30)
        theirs.setValue(31, forKey: "age")
        try second.save()
        mine.setValue(32, forKey: "age")
        let failure = #expect(throws: NSError.self) { try first.save() }
        #expect(failure?.code == NSManagedObjectMergeError)
        #expect(try one(fixture.otherContext(), "Person", "Ben").value(forKey: "age") as? Int == 31)
        first.mergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        try first.save()
        #expect(try one(fixture.otherContext(), "Person", "Ben").value(forKey: "age") as? Int == 32)
    }

    @Test(arguments: StoreKind.allCases)
    func uniqueValuesAreKept(_ kind: StoreKind) throws {
        let fixture = try filled(kind)
        try fixture.insert("Note", ["text": "second"])
        let twin = try fixture.insert("Department", ["name": "Lab"])
        let failure = #expect(throws: NSError.self) { try fixture.context.save() }
        #expect(failure?.domain == NSCocoaErrorDomain && failure?.code == NSManagedObjectConstraintMergeError)
        let saved = try fixture.otherContext().count(for: NSFetchRequest<NSManagedObject>(entityName: "Note"))
        #expect(saved == 1, "nothing of a refused save may stay")
        twin.setValue("Store", forKey: "name")
        try fixture.context.save()
        #expect(
            try fixture.otherContext().count(for: NSFetchRequest<NSManagedObject>(entityName: "Note")) == 2)
        #expect(try names(fixture.otherContext(), nil, entity: "Department") == ["Lab", "Sales", "Store"])
    }

    @Test(arguments: StoreKind.allCases)
    func refusedPredicatesThrow(_ kind: StoreKind) throws {
        let context = try filled(kind).context
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.predicate = NSPredicate(format: "nobody == 3")
        #expect(throws: NSError.self) { try context.fetch(request) }
    }
}
