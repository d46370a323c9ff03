// A fetch that differs from an earlier one in constants only runs that one's statement, and finds what it should.

import CoreDataStores
import CoreDataTestSupport
import Foundation
import Testing

@testable import CoreData

struct FetchShapeTests {
    private static let formats = [
        "age == %@", "age >= %@ AND height < %@", "name == %@ OR NOT (age < %@)", "isActive != %@",
        "visits > %@",
        "company == %@", "founded <= %@", "tags == %@", "age == %@ AND (name != %@ OR height >= %@)",
        "name BEGINSWITH %@", "%@ < age", "age IN {1, 2} AND level == %@", "ANY notes.text == %@",
    ]

    private var constants: [Any] {
        [
            0, 3, 5, -1, 2.5, "n3", "", "n1", Date(timeIntervalSinceReferenceDate: 40), true, NSNull(),
            NSNumber(3.0),
        ]
    }

    private func fill(_ context: NSManagedObjectContext) throws {
        for number in 0..<8 {
            let company = context.make(
                "Company",
                ["name": "n\(number)", "founded": Date(timeIntervalSinceReferenceDate: Double(number) * 10)])
            let person = context.make(
                number % 2 == 0 ? "Person" : "Employee",
                ["name": "n\(number)", "age": number, "height": Double(number) / 2, "isActive": number > 3])
            person.setValue(company, forKey: "company")
            person.setValue(number % 3 == 0 ? nil : number, forKey: "level")
            context.make("Note", ["text": "n\(number)"]).setValue(person, forKey: "author")
        }
        try context.save()
    }

    /// The names that a predicate finds in a store; "refused" where it can't be translated.
    private func found(_ predicate: NSPredicate, _ entity: String, _ context: NSManagedObjectContext)
        -> [String]
    {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = predicate
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        guard let objects = try? context.fetch(request) else { return ["refused"] }
        return objects.compactMap { $0.text("name") }
    }

    /// The first stack plans each fetch after others of its shape, the second one each in a new file.
    @Test func constantsAreThoseOfTheFetch() throws {
        let kept = try TestStack()
        try kept.context.run { try fill(kept.context) }
        var random = SeededGenerator(seed: 5)
        for format in Self.formats {
            let entity = format.contains("founded") ? "Company" : "Person"
            let fresh = try TestStack()
            try fresh.context.run { try fill(fresh.context) }
            for _ in 0..<12 {
                let arguments = (1..<format.split(separator: "%@", omittingEmptySubsequences: false).count)
                    .map { _ in constants.randomElement(using: &random) ?? 0 }
                let predicate = NSPredicate(format: format, argumentArray: arguments)
                try fresh.file().fetchTexts.removeAll()
                let (one, other) = try kept.context.run {
                    try fresh.context.run {
                        (found(predicate, entity, kept.context), found(predicate, entity, fresh.context))
                    }
                }
                expect(one, equals: other, "\(predicate)")
            }
        }
    }

    @Test func oneTextServesAllConstants() throws {
        let stack = try TestStack()
        try stack.context.run {
            try fill(stack.context)
            var texts: Set<String> = []
            for age in 0..<4 {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
                request.predicate = NSPredicate(format: "age >= %ld AND name != %@", age, "n\(age)")
                (request.fetchLimit, request.fetchOffset) = (age + 1, 1)
                var names: [String] = []
                texts.formUnion(
                    try stack.statements {
                        names = try stack.context.fetch(request).compactMap { $0.text("name") }
                    })
                expect(names.count, equals: min(age + 1, 6 - age))
                #expect(!names.contains("n\(age)"))
            }
            expect(texts.count, equals: 1)
            try expect(stack.file().fetchTexts.count, equals: 1)
            let other = NSFetchRequest<NSManagedObject>(entityName: "Person")
            for predicate in ["age >= 1", "age >= 1.5", "age >= nil", "age > 1", "level >= 1"] {
                other.predicate = NSPredicate(format: predicate)
                _ = try stack.context.fetch(other)
            }
            // nil stands in the text.
            try expect(stack.file().fetchTexts.count, equals: 5)
        }
    }
}

extension TestStack {
    fileprivate func file() throws -> SQLiteFile {
        try #require((coordinator.persistentStores[0] as? SQLiteStore)?.engine.file)
    }
}
