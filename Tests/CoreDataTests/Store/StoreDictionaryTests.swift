// Dictionary results, alike from every store.

import CoreData
import Foundation
import Testing

private typealias NSExpression = CoreData.NSExpression

struct StoreDictionaryTests {
    private func filled(_ kind: StoreKind) throws -> StoreFixture {
        let fixture = try StoreFixture(kind)
        let (a, b) = (
            try fixture.insert("Department", ["name": "A", "budget": 1]),
            try fixture.insert("Department", ["name": "B", "budget": 2])
        )
        for (name, age, department) in [("x", 10, a), ("y", 20, a), ("y", 20, b), ("z", 40, b)] {
            try fixture.insert("Person", ["name": name, "age": age, "department": department])
        }
        try fixture.context.save()
        return fixture
    }

    private func request(_ properties: [Any]) -> NSFetchRequest<NSDictionary> {
        let request = NSFetchRequest<NSDictionary>(entityName: "Person")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = properties
        return request
    }

    private func aggregate(_ function: String, _ key: String, _ name: String) -> NSExpressionDescription {
        let description = NSExpressionDescription()
        description.name = name
        description.expression = NSExpression(
            forFunction: function, arguments: [NSExpression(forKeyPath: key)])
        description.expressionResultType =
            function == "average:" ? .doubleAttributeType : .integer64AttributeType
        return description
    }

    @Test(arguments: StoreKind.allCases)
    func columnsOfRows(_ kind: StoreKind) throws {
        let fixture = try filled(kind)
        let request = request(["name", "department.name", "department"])
        request.sortDescriptors = [
            NSSortDescriptor(key: "age", ascending: false),
            NSSortDescriptor(key: "department.name", ascending: true),
        ]
        let rows = try fixture.context.fetch(request)
        #expect(rows.map { $0["name"] as? String } == ["z", "y", "y", "x"])
        #expect(rows.map { $0["department.name"] as? String } == ["B", "A", "B", "A"])
        #expect((rows[0]["department"] as? NSManagedObjectID)?.entity.name == "Department")
    }

    @Test(arguments: StoreKind.allCases)
    func aggregatesOverEverything(_ kind: StoreKind) throws {
        let fixture = try filled(kind)
        let request = request([
            aggregate("sum:", "age", "sum"), aggregate("max:", "age", "max"), aggregate("min:", "age", "min"),
            aggregate("average:", "age", "average"), aggregate("count:", "age", "count"),
        ])
        let rows = try fixture.context.fetch(request)
        #expect(rows.count == 1)
        #expect(rows.first?["sum"] as? Int == 90)
        #expect(rows.first?["max"] as? Int == 40)
        #expect(rows.first?["min"] as? Int == 10)
        #expect(rows.first?["average"] as? Double == 22.5)
        #expect(rows.first?["count"] as? Int == 4)
    }

    @Test(arguments: StoreKind.allCases)
    func groupsAndConditionsOnThem(_ kind: StoreKind) throws {
        let fixture = try filled(kind)
        let request = request(["department.name", aggregate("sum:", "age", "sum")])
        request.propertiesToGroupBy = ["department.name"]
        var rows = try fixture.context.fetch(request)
        #expect(rows.map { $0["department.name"] as? String } == ["A", "B"])
        #expect(rows.map { $0["sum"] as? Int } == [30, 60])
        let sum = NSExpression(forVariable: "sum")
        request.havingPredicate = NSComparisonPredicate(
            leftExpression: sum, rightExpression: NSExpression(forConstantValue: 50), modifier: .direct,
            type: .greaterThan, options: [])
        rows = try fixture.context.fetch(request)
        #expect(rows.map { $0["sum"] as? Int } == [60])
    }

    @Test(arguments: StoreKind.allCases)
    func distinctRows(_ kind: StoreKind) throws {
        let fixture = try filled(kind)
        let request = request(["name", "age"])
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        #expect(try fixture.context.fetch(request).count == 4)
        request.returnsDistinctResults = true
        #expect(try fixture.context.fetch(request).map { $0["name"] as? String } == ["x", "y", "z"])
        request.predicate = NSPredicate(format: "age > 15")
        request.fetchLimit = 1
        #expect(try fixture.context.fetch(request).map { $0["name"] as? String } == ["y"])
    }
}
