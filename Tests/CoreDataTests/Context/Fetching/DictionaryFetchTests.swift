import CoreData
import CoreDataTestSupport
import Testing

@Suite struct DictionaryFetchTests {
    private static let types = [NSSQLiteStoreType, NSInMemoryStoreType] + StoreKind.serverTypes

    private func filled(_ type: String) throws -> TestStack {
        let stack = try TestStack(type: type)
        try stack.context.run { () throws in
            let acme = stack.context.make("Company", ["name": "Acme"])
            for (name, age, level) in [("Ada", 30, 1), ("Bob", 20, 1), ("Cyd", 30, 2), ("Dan", 40, 2)] {
                let person = stack.context.make("Person", ["name": name, "age": age, "level": level])
                if age == 30 { person.setValue(acme, forKey: "company") }
            }
            try stack.context.save()
        }
        return stack
    }

    private func request(_ properties: [Any]? = nil) -> NSFetchRequest<NSDictionary> {
        let request = NSFetchRequest<NSDictionary>(entityName: "Person")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = properties
        return request
    }

    private func aggregate(_ function: String, _ key: String, _ type: NSAttributeType)
        -> NSExpressionDescription
    {
        let description = NSExpressionDescription()
        description.name = "result"
        description.expression = NSExpression(
            forFunction: function, arguments: [NSExpression(forKeyPath: key)])
        description.expressionResultType = type
        return description
    }

    @Test(arguments: types) func properties(_ type: String) throws {
        let stack = try filled(type)
        try stack.context.run { () throws in
            let some = request(["name", "company", "company.name"])
            some.sortDescriptors = [
                NSSortDescriptor(key: "age", ascending: true), .init(key: "name", ascending: true),
            ]
            let rows = try stack.context.fetch(some)
            expect(rows.map { $0["name"] as? String }, equals: ["Bob", "Ada", "Cyd", "Dan"])
            let company = try #require(try stack.context.all("Company").first)
            expect(rows[1]["company"] as? NSManagedObjectID, equals: company.objectID)
            expect(rows[1]["company.name"] as? String, equals: "Acme")
            #expect(rows[0]["company"] == nil && rows[0]["company.name"] == nil && rows[0].count == 1)
            let person = try #require(stack.context.runtimeEntity("Person"))
            let described = request([try #require(person.attributesByName["age"])])
            try expect(stack.context.fetch(described).count, equals: 4)
        }
    }

    /// Without a result type aggregates have the attribute's, where the database's value would be another.
    @Test(arguments: types) func aggregatesOfDatesAndDecimalsHaveTheirType(_ type: String) throws {
        let stack = try TestStack(type: type)
        try stack.context.run { () throws in
            let days = [1.0, 5000].map(Date.init(timeIntervalSinceReferenceDate:))
            for (day, budget) in zip(days, ["1.25", "2.5"]) {
                let company = stack.context.make(
                    "Company", ["name": "A", "founded": day, "budget": NSDecimalNumber(string: budget)])
                stack.context.make("Person").setValue(company, forKey: "company")
            }
            try stack.context.save()
            func value(_ function: String, _ key: String, of entity: String = "Company") throws -> Any? {
                let one = request([aggregate(function, key, .undefinedAttributeType)])
                one.entity = stack.context.runtimeEntity(entity)
                return try stack.context.fetch(one).first?["result"]
            }
            try expect(value("max:", "founded") as? Date, equals: days[1])
            try expect(value("min:", "company.founded", of: "Person") as? Date, equals: days[0])
            try expect(value("sum:", "budget") as? NSDecimalNumber, equals: NSDecimalNumber(string: "3.75"))
            let newest = NSExpressionDescription()
            newest.name = "newest"
            newest.expression = NSExpression(forKeyPath: "people.@max.company.founded")
            let each = request([newest])
            each.entity = stack.context.runtimeEntity("Company")
            each.sortDescriptors = [NSSortDescriptor(key: "founded", ascending: true)]
            try expect(stack.context.fetch(each).map { $0["newest"] as? Date }, equals: days)
        }
    }

    @Test(arguments: types) func aTransientPropertyIsRefused(_ type: String) throws {
        let stack = try filled(type)
        try stack.context.run { () throws in
            for property in ["scratch", "company.people", "company.nothing"] {
                let failure = error { _ = try stack.context.fetch(request(["name", property])) }
                expect(failure?.code, equals: NSCoreDataError, "\(property)")
            }
        }
    }

    @Test(arguments: types) func distinctRowsAreFolded(_ type: String) throws {
        let stack = try filled(type)
        try stack.context.run { () throws in
            let ages = request(["age"])
            ages.returnsDistinctResults = true
            ages.sortDescriptors = [NSSortDescriptor(key: "age", ascending: false)]
            try expect(stack.context.fetch(ages).map { $0["age"] as? Int }, equals: [40, 30, 20])
        }
    }

    @Test(arguments: types) func aggregatesCollapseToOneRow(_ type: String) throws {
        let stack = try filled(type)
        try stack.context.run { () throws in
            for (function, expected) in [
                ("sum:", 120.0), ("min:", 20), ("max:", 40), ("average:", 30), ("count:", 4),
            ] {
                let result: NSAttributeType =
                    function == "average:" ? .doubleAttributeType : .integer64AttributeType
                let rows = try stack.context.fetch(request([aggregate(function, "age", result)]))
                expect(rows.count, equals: 1)
                expect((rows.first?["result"] as? NSNumber)?.doubleValue, equals: expected, "\(function)")
            }
            let filtered = request([aggregate("sum:", "age", .integer64AttributeType)])
            filtered.predicate = NSPredicate(format: "level == 2")
            try expect(stack.context.fetch(filtered).first?["result"] as? Int, equals: 70)
        }
    }

    @Test(arguments: StoreKind.allCases) func theSumOfNothingIsZero(_ kind: StoreKind) throws {
        let container = try kind.makeContainer()
        let context = container.newBackgroundContext()
        try context.run { () throws in
            for (name, age) in [("Ada", 30), ("Bob", nil)] as [(String, Int?)] {
                let person = context.make("Person", ["name": name])
                person.setValue(age, forKey: "age")
                person.setValue(nil, forKey: "visits")
            }
            try context.save()
            for key in ["age", "level", "visits", "height"] {
                let none = request([aggregate("sum:", key, .doubleAttributeType)])
                none.predicate = NSPredicate(format: "name == 'Cyd'")
                try expect(context.fetch(none).map { $0["result"] as? Double }, equals: [0], "\(key)")
                let extreme = request([aggregate("max:", key, .doubleAttributeType)])
                extreme.predicate = none.predicate
                try expect(context.fetch(extreme).map { $0["result"] as? Double }, equals: [nil], "\(key)")
            }
            let groups = request(["name", aggregate("sum:", "age", .integer16AttributeType)])
            groups.propertiesToGroupBy = ["name"]
            groups.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            try expect(context.fetch(groups).map { $0["result"] as? Int }, equals: [30, 0])
        }
    }

    @Test(arguments: types) func groupsAndHaving(_ type: String) throws {
        let stack = try filled(type)
        try stack.context.run { () throws in
            let groups = request(["level", aggregate("sum:", "age", .integer64AttributeType)])
            groups.propertiesToGroupBy = ["level"]
            groups.sortDescriptors = [NSSortDescriptor(key: "level", ascending: true)]
            var rows = try stack.context.fetch(groups)
            expect(rows.map { $0["level"] as? Int }, equals: [1, 2])
            expect(rows.map { $0["result"] as? Int }, equals: [50, 70])
            groups.havingPredicate = NSPredicate(format: "$result > 60")
            rows = try stack.context.fetch(groups)
            expect(rows.map { $0["level"] as? Int }, equals: [2])
            groups.havingPredicate = NSPredicate(format: "sum:(age) < 60 AND count:(name) == 2")
            rows = try stack.context.fetch(groups)
            expect(rows.map { $0["level"] as? Int }, equals: [1])
        }
    }

    @Test(arguments: StoreKind.allCases) func whatHasNoValueForAGroupIsRefused(_ kind: StoreKind) throws {
        let container = try kind.makeContainer()
        let context = container.newBackgroundContext()
        try context.run { () throws in
            _ = context.make("Person", ["name": "Ada", "age": 30])
            try context.save()
            let sum = aggregate("sum:", "age", .integer64AttributeType)
            let loose = request(["name", "age", sum])
            loose.propertiesToGroupBy = ["name"]
            let all = request()
            all.propertiesToGroupBy = ["name"]
            let ungrouped = request([sum])
            ungrouped.havingPredicate = NSPredicate(format: "sum:(age) > 1")
            let circular = request([sum])
            circular.propertiesToGroupBy = [sum]
            for refused in [loose, all, ungrouped, circular] {
                let error = #expect(throws: NSError.self) { try context.fetch(refused) }
                expect(error?.code, equals: NSCoreDataError)
            }
            let text = NSExpressionDescription()
            text.name = "text"
            text.expression = NSExpression(format: "uppercase:(name)")
            text.expressionResultType = .stringAttributeType
            let made = request([text, sum])
            for keys in [["name"], [text]] as [[Any]] {
                made.propertiesToGroupBy = keys
                let rows = try context.fetch(made)
                #expect(rows.map { $0["text"] as? String } == ["ADA"] && rows.first?["result"] as? Int == 30)
            }
        }
    }

    /// A count is the number of dictionaries, also for a child context.
    @Test(arguments: StoreKind.allCases.map(\.type)) func countsAreThoseOfTheRows(_ type: String) throws {
        let stack = try filled(type)
        try stack.context.run { () throws in
            let distinct = request(["age"])
            distinct.returnsDistinctResults = true
            let same = request(["level", "level", "company.name"])
            same.returnsDistinctResults = true
            let bounded = request(["age"])
            (bounded.returnsDistinctResults, bounded.fetchOffset, bounded.fetchLimit) = (true, 1, 1)
            bounded.sortDescriptors = [NSSortDescriptor(key: "age", ascending: true)]
            let groups = request(["level", aggregate("sum:", "age", .integer64AttributeType)])
            groups.propertiesToGroupBy = ["level"]
            let some = try #require(groups.copy() as? NSFetchRequest<NSDictionary>)
            some.havingPredicate = NSPredicate(format: "$result > 60")
            let all = request([aggregate("sum:", "age", .integer64AttributeType)])
            let none = request([aggregate("max:", "age", .integer64AttributeType)])
            none.predicate = NSPredicate(format: "age > 100")
            let constant = NSExpressionDescription()
            (constant.name, constant.expression) = ("one", NSExpression(forConstantValue: "a"))
            constant.expressionResultType = .stringAttributeType
            let folded = request([constant])
            folded.returnsDistinctResults = true
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = stack.context
            for (number, (asked, count)) in [
                (distinct, 3), (same, 4), (bounded, 1), (groups, 2), (some, 1), (all, 1), (none, 1),
                (folded, 1),
            ].enumerated() {
                try expect(stack.context.fetch(asked).count, equals: count, "\(number)")
                try expect(stack.context.count(for: asked), equals: count, "\(number)")
                try expect(child.run { try child.count(for: asked) }, equals: count, "\(number)")
            }
        }
    }

    /// The database counts: no row is read.
    @Test func groupsAreCountedByTheDatabase() throws {
        let stack = try filled(NSSQLiteStoreType)
        try stack.context.run { () throws in
            let groups = request(["level", aggregate("sum:", "age", .integer64AttributeType)])
            groups.propertiesToGroupBy = ["level"]
            let statements = try stack.statements { _ = try stack.context.count(for: groups) }
            expect(
                statements,
                equals: [
                    """
                    SELECT COUNT(*) FROM (SELECT t0.ZLEVEL, COALESCE(SUM(t0.ZAGE), 0) FROM ZPERSON t0 \
                    GROUP BY t0.ZLEVEL) t1
                    """
                ])
        }
    }

    @Test(arguments: types) func objectsAndCountsOfRelationships(_ type: String) throws {
        let stack = try filled(type)
        try stack.context.run { () throws in
            let this = NSExpressionDescription()
            this.name = "id"
            this.expression = NSExpression.expressionForEvaluatedObject()
            this.expressionResultType = .objectIDAttributeType
            let rows = try stack.context.fetch(request(["name", this, "objectID"]))
            let ids = Set(try stack.context.all("Person").map(\.objectID))
            expect(Set(rows.compactMap { $0["id"] as? NSManagedObjectID }), equals: ids)
            expect(Set(rows.compactMap { $0["objectID"] as? NSManagedObjectID }), equals: ids)

            let count = NSExpressionDescription()
            count.name = "heads"
            count.expression = NSExpression(format: "people.@count")
            count.expressionResultType = .integer64AttributeType
            let companies = NSFetchRequest<NSDictionary>(entityName: "Company")
            companies.resultType = .dictionaryResultType
            companies.propertiesToFetch = ["name", count]
            try expect(stack.context.fetch(companies).first?["heads"] as? Int, equals: 2)
        }
    }

    @Test(arguments: types) func unsavedChangesStayOut(_ type: String) throws {
        let stack = try filled(type)
        try stack.context.run { () throws in
            _ = stack.context.make("Person", ["name": "Eve"])
            try stack.context.all("Person", "name == 'Ada'")[0].setValue("Adele", forKey: "name")
            let names = request(["name"])
            names.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            names.fetchOffset = 1
            names.fetchLimit = 2
            try expect(stack.context.fetch(names).map { $0["name"] as? String }, equals: ["Bob", "Cyd"])
        }
    }

    @Test func toManyRelationshipThrows() throws {
        let stack = try TestStack()
        let request = NSFetchRequest<NSDictionary>(entityName: "Company")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["people"]
        #expect(error { _ = try stack.context.fetch(request) }?.code == NSCoreDataError)
        let empty = NSExpressionDescription()
        empty.name = "nothing"
        request.propertiesToFetch = [empty]
        #expect(error { _ = try stack.context.fetch(request) }?.code == NSCoreDataError)
    }
}

extension NSManagedObjectContext {
    fileprivate func runtimeEntity(_ name: String) -> NSEntityDescription? {
        NSEntityDescription.entity(forEntityName: name, in: self)
    }
}
