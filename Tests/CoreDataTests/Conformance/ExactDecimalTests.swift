// Numbers reach a decimal attribute exactly, whichever way they take: integers digit by digit, floating-point numbers in
// their shortest form.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct ExactDecimalTests {
    /// A way by which a number becomes the value of a decimal attribute, or is compared with one.
    enum Path: String, CaseIterable {
        case keyValueCoding, defaultValue, batchInsertDictionary, batchInsertObject, batchUpdate
        case predicateArgument, predicateText
    }

    private static func model(defaultValue: Any? = nil) -> NSManagedObjectModel {
        let price = NSAttributeDescription("price", .decimal)
        price.defaultValue = defaultValue
        let model = NSManagedObjectModel()
        model.entities = [NSEntityDescription("Item", [price, NSAttributeDescription("mark", .integer64)])]
        return model
    }

    /// Numbers as clients have them, each with the decimal that it is.
    private static func numbers(seed: UInt64) -> [(any Sendable, Decimal)] {
        var generator = SeededGenerator(seed: seed)
        var numbers: [(any Sendable, Decimal)] = [
            (5_000_000_093, 5_000_000_093), (19.99, Decimal(string: "19.99") ?? 0),
            (Int64.min, Decimal(string: "-9223372036854775808") ?? 0),
            (Int64.max, Decimal(string: "9223372036854775807") ?? 0),
            (0.1 + 0.2, Decimal(string: "0.30000000000000004") ?? 0),
            (true, 1), (UInt8(200), 200),
        ]
        for _ in 0..<15 {
            let integer =
                Int64.random(in: .min ... .max, using: &generator)
                >> Int64.random(in: 0..<60, using: &generator)
            numbers.append((integer, Decimal(string: String(integer)) ?? 0))
            let double = Double(Int64.random(in: -99_999_999...99_999_999, using: &generator)) / 1000
            numbers.append((double, Decimal(string: "\(double)") ?? 0))
        }
        return numbers
    }

    private func box(_ number: Any) -> [Any] {
        switch number {
        case let value as Bool: [NSNumber(value: value)]
        case let value as Int: [value, NSNumber(value: value)]
        case let value as Int64: [value, NSNumber(value: value)]
        case let value as UInt8: [value, NSNumber(value: value)]
        case let value as Double: [value, NSNumber(value: value)]
        default: []
        }
    }

    private func context(_ kind: String, _ model: NSManagedObjectModel) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let url = kind == NSSQLiteStoreType ? URL(fileURLWithPath: "/dev/null") : nil
        try coordinator.addPersistentStore(ofType: kind, configurationName: nil, at: url)
        return StoreFixtures.context(coordinator)
    }

    private func stored(_ context: NSManagedObjectContext) throws -> [Decimal] {
        context.reset()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.sortDescriptors = [NSSortDescriptor(key: "mark", ascending: true)]
        return try context.fetch(request).compactMap {
            ($0.value(forKey: "price") as? NSDecimalNumber)?.decimalValue
        }
    }

    /// What a decimal becomes in a file: more than 15 digits of a fraction are a floating-point number there.
    private func inStore(_ decimal: Decimal, _ kind: String) -> Decimal {
        guard kind == NSSQLiteStoreType, let double = Double("\(decimal)") else { return decimal }
        return Int64("\(decimal)") == nil ? Decimal(string: "\(double)") ?? decimal : decimal
    }

    @Test(arguments: Path.allCases, [NSInMemoryStoreType, NSSQLiteStoreType])
    func numbersKeepTheirValue(path: Path, kind: String) throws {
        var wrong: [String] = []
        for (number, decimal) in Self.numbers(seed: 17) {
            for boxed in box(number) {
                let context = try context(kind, Self.model(defaultValue: path == .defaultValue ? boxed : nil))
                try context.performAndWait {
                    let found = try take(boxed, decimal, path, context)
                    if found != [inStore(decimal, kind)] {
                        wrong.append("\(type(of: boxed)) \(number): \(found)")
                    }
                }
            }
        }
        #expect(wrong.isEmpty, "\(wrong.count) of \(path): \(wrong.prefix(3))")
    }

    private func take(
        _ boxed: Any, _ decimal: Decimal, _ path: Path, _ context: NSManagedObjectContext
    ) throws -> [Decimal] {
        switch path {
        case .keyValueCoding:
            NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
                .setValue(boxed, forKey: "price")
            try context.save()
        case .defaultValue:
            _ = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
            try context.save()
        case .batchInsertDictionary:
            try context.execute(NSBatchInsertRequest(entityName: "Item", objects: [["price": boxed]]))
        case .batchInsertObject:
            var isDone = false
            let request = NSBatchInsertRequest(
                entityName: "Item",
                managedObjectHandler: { object in
                    defer { isDone = true }
                    if !isDone { object.setValue(boxed, forKey: "price") }
                    return isDone
                })
            try context.execute(request)
        case .batchUpdate:
            _ = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
            try context.save()
            let request = NSBatchUpdateRequest(entityName: "Item")
            request.propertiesToUpdate = ["price": boxed]
            try context.execute(request)
        case .predicateArgument, .predicateText:
            let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
            item.setValue(NSDecimalNumber(decimal: decimal), forKey: "price")
            let other = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
            other.setValue(NSDecimalNumber(decimal: decimal + 1), forKey: "price")
            try context.save()
            context.reset()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
            request.predicate =
                path == .predicateArgument
                ? NSPredicate(format: "price == %@", boxed) : NSPredicate(format: "price == \(decimal)")
            return try context.fetch(request).compactMap {
                ($0.value(forKey: "price") as? NSDecimalNumber)?.decimalValue
            }
        }
        return try stored(context)
    }
}
