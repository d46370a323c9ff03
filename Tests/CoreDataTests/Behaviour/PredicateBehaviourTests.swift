// Predicates over one company, alike in every store.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

struct PredicateBehaviourTests {
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

    @Test(arguments: StoreKind.withObjects)
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
            expect(found, equals: expected.sorted(), "\(format)")
        }
        try expect(
            names(context, NSPredicate(format: "title == 'Head'"), entity: "Employee"), equals: ["Anna"])
    }

    @Test(arguments: StoreKind.withObjects)
    func objectsInPredicates(_ kind: StoreKind) throws {
        let fixture = try filled(kind)
        let context = fixture.otherContext()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.predicate = NSPredicate(format: "name == 'Anna'")
        let anna = try #require(try context.fetch(request).first)
        try expect(names(context, NSPredicate(format: "boss == %@", anna)), equals: ["Ben", "Cleo"])
        try expect(names(context, NSPredicate(format: "boss == %@", anna.objectID)), equals: ["Ben", "Cleo"])
        try expect(names(context, NSPredicate(format: "SELF == %@", anna)), equals: ["Anna"])
        try expect(names(context, NSPredicate(format: "SELF IN %@", [anna.objectID])), equals: ["Anna"])
        try expect(names(context, NSPredicate(format: "%@ IN friends", anna)), equals: ["Ben", "Cleo"])
        try expect(names(context, NSPredicate(format: "friends CONTAINS %@", anna)), equals: ["Ben", "Cleo"])
        try expect(
            names(context, NSPredicate(format: "boss != nil AND boss.reports.@count == 2")),
            equals: [
                "Ben", "Cleo",
            ])
    }

    @Test(arguments: StoreKind.withObjects)
    func rowsAreToldByTheirEntities(_ kind: StoreKind) throws {
        let fixture = try filled(kind)
        let context = fixture.otherContext()
        let entities = try #require(context.persistentStoreCoordinator?.managedObjectModel.entitiesByName)
        let (person, employee) = (try #require(entities["Person"]), try #require(entities["Employee"]))
        let cases: [(String, Any, [String])] = [
            ("entity == %@", employee, ["Anna", "Ben"]),
            ("%@ = entity", person, ["-", "Cleo", "ben", "Ärmel"]),
            ("entity != %@ AND age < 60", employee, ["-", "Cleo", "Ärmel"]),
            ("SELF.entity IN %@", [employee, person], ["-", "Anna", "Ben", "Cleo", "ben", "Ärmel"]),
            ("NOT entity IN %@", [employee], ["-", "Cleo", "ben", "Ärmel"]),
            ("boss.entity == %@", employee, ["Ben", "Cleo"]),
            ("boss.entity == %@", person, []),
            (
                "department.entity == %@", try #require(entities["Department"]),
                ["Anna", "Ben", "Cleo", "Ärmel"]
            ),
            ("ANY friends.entity == %@", person, ["Anna"]),
            ("entity == %@", 3, []),
        ]
        for (format, value, expected) in cases {
            let found = try names(context, NSPredicate(format: format, argumentArray: [value]))
            expect(found, equals: expected.sorted(), "\(format) \(value)")
        }
        try expect(names(context, NSPredicate(format: "boss.entity != nil")), equals: ["Ben", "Cleo"])
    }

    @Test(arguments: StoreKind.allCases)
    func refusedPredicatesThrow(_ kind: StoreKind) throws {
        let context = try filled(kind).context
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.predicate = NSPredicate(format: "nobody == 3")
        #expect(throws: NSError.self) { try context.fetch(request) }
    }
}
