// Collection operators on a single object: over its entity.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

struct EntityAggregatesTests {
    /// People of 10, 20 and 60 years, of whom the last is an employee, with fetched properties for the predicates.
    private func filled(_ kind: StoreKind, _ predicates: [String: String]) throws
        -> (container: StoreContainer, context: NSManagedObjectContext)
    {
        let model = CompanyModel.make()
        let entity = try #require(model.entitiesByName["Person"])
        for (name, format) in predicates.sorted(by: { $0.key < $1.key }) {
            let property = NSFetchedPropertyDescription()
            property.name = name
            let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Person")
            request.entity = entity
            request.predicate = NSPredicate(format: format)
            property.fetchRequest = request
            entity.properties += [property]
        }
        let container = try kind.makeContainer(model)
        let context = container.newBackgroundContext()
        try context.run {
            _ = context.make("Person", ["name": "Ada", "age": 10])
            _ = context.make("Person", ["name": "Bob", "age": 20])
            _ = context.make("Employee", ["name": "Cyd", "age": 60, "salary": 1])
            try context.save()
        }
        return (container, context)
    }

    private func names(_ object: NSManagedObject, _ key: String) -> [String]? {
        (object.value(forKey: key) as? [NSManagedObject])?.compactMap { $0.text("name") }.sorted()
    }

    private func person(_ name: String, _ context: NSManagedObjectContext) throws -> NSManagedObject {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.predicate = NSPredicate(format: "name == %@", name)
        return try #require(try context.fetch(request).first)
    }

    @Test(arguments: StoreKind.withObjects)
    func operatorsOnOneObjectAreOverItsEntity(_ kind: StoreKind) throws {
        let (container, context) = try filled(
            kind,
            [
                "below": "age < $FETCH_SOURCE.@avg.age", "first": "age == $FETCH_SOURCE.@min.age",
                "last": "age == $FETCH_SOURCE.@max.age", "third": "age * 2 < $FETCH_SOURCE.@sum.age",
                "many": "age > $FETCH_SOURCE.@count * 10",
            ])
        try withExtendedLifetime(container) {
            try context.run {
                let ada = try person("Ada", context)
                expect(names(ada, "below"), equals: ["Ada", "Bob"])  // 30
                #expect(names(ada, "first") == ["Ada"] && names(ada, "last") == ["Cyd"])
                expect(names(ada, "third"), equals: ["Ada", "Bob"])  // 90
                expect(names(ada, "many"), equals: ["Cyd"])  // 3 people
                // An employee's entity has one object.
                let cyd = try person("Cyd", context)
                expect(names(cyd, "below"), equals: ["Ada", "Bob"])  // 60
                expect(names(cyd, "first"), equals: ["Cyd"])
            }
        }
    }

    @Test(arguments: StoreKind.withObjects)
    func unsavedChangesCount(_ kind: StoreKind) throws {
        let (container, context) = try filled(kind, ["below": "age < $FETCH_SOURCE.@avg.age"])
        try withExtendedLifetime(container) {
            try context.run {
                let ada = try person("Ada", context)
                try person("Bob", context).setValue(50, forKey: "age")
                let dan = context.make("Person", ["name": "Dan", "age": 0])
                expect(names(ada, "below"), equals: ["Ada", "Dan"])  // 30
                context.delete(dan)
                context.refresh(ada, mergeChanges: false)
                expect(names(ada, "below"), equals: ["Ada"])  // 40
            }
        }
    }

    @Test func childrenAskTheirParents() throws {
        let (container, context) = try filled(.sqlite, ["below": "age < $FETCH_SOURCE.@avg.age"])
        try withExtendedLifetime(container) {
            try context.run {
                let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                child.parent = context
                try child.run {
                    let (ada, bob) = (try person("Ada", child), try person("Bob", child))
                    expect(names(ada, "below"), equals: ["Ada", "Bob"])
                    _ = child.make("Person", ["name": "Dan", "age": 0])  // 22.5
                    expect(names(bob, "below"), equals: ["Ada", "Bob", "Dan"])
                }
            }
        }
    }

    @Test func requestsTakeObjectsAsVariables() throws {
        let (container, context) = try filled(.sqlite, [:])
        try withExtendedLifetime(container) {
            try context.run {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
                let ada = try person("Ada", context)
                request.predicate = NSPredicate(format: "age > $ONE.@avg.age")
                    .withSubstitutionVariables(["ONE": ada])
                try expect(context.fetch(request).map { $0.text("name") }, equals: ["Cyd"])
                let update = NSBatchUpdateRequest(entityName: "Person")
                update.predicate = NSPredicate(format: "age < $ONE.@avg.age")
                    .withSubstitutionVariables(["ONE": ada])
                update.propertiesToUpdate = ["name": "Young"]
                update.resultType = .updatedObjectsCountResultType
                let result = try #require(try context.execute(update) as? NSBatchUpdateResult)
                expect(result.result as? Int, equals: 2)
            }
        }
    }

    @Test(arguments: StoreKind.withObjects)
    func functionsOfAnAttributeAreOverTheFetchedEntity(_ kind: StoreKind) throws {
        let (container, context) = try filled(kind, [:])
        try withExtendedLifetime(container) {
            try context.run {
                expect(try found("Person", "age == max(age)", context), equals: ["Cyd"])
                expect(try found("Person", "age == min:(age) AND name != nil", context), equals: ["Ada"])
                expect(try found("Person", "age < average:(age)", context), equals: ["Ada", "Bob"])  // 30
                expect(
                    try found("Person", "age * 3 < sum:(age) AND count:(name) == 3", context),
                    equals: ["Ada", "Bob"])
                expect(try found("Employee", "age == min:(age)", context), equals: ["Cyd"])
                expect(try found("Person", "age == max(age)", context, subentities: false), equals: ["Bob"])
                // Unsaved changes count.
                try person("Ada", context).setValue(70, forKey: "age")
                expect(try found("Person", "age == max(age)", context), equals: ["Ada"])
            }
        }
    }

    private func found(
        _ entity: String, _ format: String, _ context: NSManagedObjectContext, subentities: Bool = true
    ) throws -> [String] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = NSPredicate(format: format)
        request.includesSubentities = subentities
        return try context.fetch(request).compactMap { $0.text("name") }.sorted()
    }

    @Test func unknownKeysAreErrors() throws {
        let (container, context) = try filled(.sqlite, [:])
        try withExtendedLifetime(container) {
            try context.run {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
                for path in ["@avg.nothing", "@distinctUnionOfObjects.age", "@avg.name.@count"] {
                    request.predicate = NSPredicate(format: "age > $ONE.\(path)")
                        .withSubstitutionVariables(["ONE": try person("Ada", context)])
                    #expect(throws: (any Error).self, "\(path)") { try context.fetch(request) }
                }
            }
        }
    }
}
