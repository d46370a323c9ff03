// Functions of clients that take `CVarArg`s and hand them to a predicate, and values that are cast to it.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct FormatArgumentsTests {
    private func predicate(_ format: String, _ arguments: any CVarArg...) -> NSPredicate {
        NSPredicate(format: format, argumentArray: arguments)
    }

    @Test func valuesPassAsVariableArguments() throws {
        let id = UUID()
        let date = Date(timeIntervalSinceReferenceDate: 10)
        let url = try #require(URL(string: "https://example.org"))
        let cases: [(NSPredicate, Any)] = [
            (predicate("v == %@", id as any CVarArg), id), (predicate("v == %@", date as any CVarArg), date),
            (predicate("v == %@", date as NSDate), date), (predicate("v == %@", NSNumber(value: 3)), 3),
            (predicate("v == %@", url as any CVarArg), url),
            (predicate("v == %@", Decimal(2) as any CVarArg), Decimal(2)),
            (predicate("v == %@", Data([1]) as any CVarArg), Data([1])),
            (predicate("v IN %@", [1, 2] as any CVarArg), 2),
            (predicate("v IN %@", Set(["a"]) as any CVarArg), "a"),
            (predicate("v IN %@", NSArray(array: [4])), 4),
            (predicate("%K == %d", "v", 3), 3), (predicate("v == %@", "text"), "text"),
        ]
        for (predicate, value) in cases {
            #expect(predicate.evaluate(with: ["v": value]), "\(predicate)")
            #expect(!predicate.evaluate(with: ["v": "other"]), "\(predicate)")
        }
    }

    @Test func objectsPassAsVariableArguments() throws {
        let context = NSManagedObjectContext(.privateQueue)
        let entity = NSEntityDescription()
        entity.name = "Thing"
        let model = NSManagedObjectModel()
        model.entities = [entity]
        context.persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let (thing, other) = context.performAndWait {
            (
                NSManagedObject(entity: entity, insertInto: context),
                NSManagedObject(entity: entity, insertInto: context)
            )
        }
        context.performAndWait {
            for predicate in [predicate("SELF == %@", thing), predicate("SELF == %@", thing.objectID)] {
                #expect(predicate.evaluate(with: thing))
                #expect(!predicate.evaluate(with: other))
            }
        }
    }

    @Test func whatIsOfAnyTypeCanBeCast() {
        let id = UUID()
        for value: Any in [id, Date.now, [1], ["a": 1], Set([1]), "text", true, 3, NSNull(), AnyHashable(id)]
        {
            #expect(value as? any CVarArg != nil, "\(value)")
        }
    }

    @Test func otherFormatsGetDescriptions() {
        let id = UUID()
        let text = String(
            format: "%@ %@ %@ %d", id as any CVarArg, NSNumber(value: 3),
            NSArray(array: [1]).count as NSNumber, 5
        )
        expect(text, equals: "\(id) 3 1 5")
        let list = NSArray(array: ["a", "b"])
        expect(String(format: "%@", list), equals: String(describing: list))
    }

    /// C's formats get a text, as they get an object's description on Apple's systems.
    @Test func formatsOfCShowDescriptions() {
        let arguments: [any FormatArgument] = [UUID(), Set(["a"]), [1, 2], Decimal(3)]
        for argument in arguments {
            expect(String(format: "<%@>", argument), equals: "<\(argument)>")
        }
    }
}
