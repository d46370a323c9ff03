// Numbers reach a decimal attribute exactly, whichever way they take: integers digit by digit, floating-point numbers in
// their shortest form.

import CoreData
import CoreDataFiles
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct ExactDecimalTests {
    /// A way by which a number becomes the value of a decimal attribute, or is compared with one.
    enum Path: String, CaseIterable {
        case keyValueCoding, defaultValue, batchInsertDictionary, batchInsertObject, batchUpdate
        case predicateArgument, predicateText, predicateArchive, archivedDefault, compiledDefault

        var isDefault: Bool { [.defaultValue, .archivedDefault, .compiledDefault].contains(self) }
        var isPredicate: Bool { [.predicateArgument, .predicateText, .predicateArchive].contains(self) }
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
        for _ in 0..<rounds(6, long: 15) {
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

    /// Returns the decimal as a file keeps it: more than 15 digits of a fraction are a
    /// floating-point number there.
    private func inStore(_ decimal: Decimal, _ kind: String) -> Decimal {
        guard kind == NSSQLiteStoreType, let double = Double("\(decimal)") else { return decimal }
        return Int64("\(decimal)") == nil ? Decimal(string: "\(double)") ?? decimal : decimal
    }

    @Test(arguments: Path.allCases, [NSInMemoryStoreType, NSSQLiteStoreType])
    func numbersKeepTheirValue(path: Path, kind: String) throws {
        var wrong: [String] = []
        for (number, decimal) in Self.numbers(seed: 17) {
            for boxed in box(number) {
                let model = Self.model(defaultValue: path.isDefault ? boxed : nil)
                let context = try context(kind, reread(model, path))
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
        case .defaultValue, .archivedDefault, .compiledDefault:
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
        case .predicateArgument, .predicateText, .predicateArchive:
            let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
            item.setValue(NSDecimalNumber(decimal: decimal), forKey: "price")
            let other = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
            other.setValue(NSDecimalNumber(decimal: decimal + 1), forKey: "price")
            try context.save()
            context.reset()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
            let written = NSPredicate(format: "price == %@", boxed)
            switch path {
            case .predicateText: request.predicate = NSPredicate(format: "price == \(decimal)")
            case .predicateArchive: request.predicate = try archived(written)
            default: request.predicate = written
            }
            return try context.fetch(request).compactMap {
                ($0.value(forKey: "price") as? NSDecimalNumber)?.decimalValue
            }
        }
        return try stored(context)
    }

    // MARK: Archives

    private func archived<Object: NSObject & NSCoding>(_ object: Object) throws -> Object {
        let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: false)
        let reader = try NSKeyedUnarchiver(forReadingFrom: data)
        reader.requiresSecureCoding = false
        return try #require(reader.decodeObject(forKey: NSKeyedArchiveRootObjectKey) as? Object)
    }

    private func reread(_ model: NSManagedObjectModel, _ path: Path) throws -> NSManagedObjectModel {
        switch path {
        case .archivedDefault: return try archived(model)
        case .compiledDefault:
            let folder = try TemporaryFolder()
            let file = folder.file("Model.mom")
            try CompiledModelWriter.data(for: model.schema).write(to: file)
            return try #require(NSManagedObjectModel(contentsOf: file))
        default: return model
        }
    }

    // MARK: Mapping models

    /// An entity with a number of each type, and one with a decimal attribute for each constant.
    private func model(
        _ types: [NSAttributeDescription.AttributeType], constants count: Int
    ) -> NSManagedObjectModel {
        let item = NSEntityDescription(
            "Item",
            types.enumerated().map { NSAttributeDescription("n\($0)", $1) } + [
                NSAttributeDescription("mark", .integer64)
            ])
        let constants = NSEntityDescription(
            "Constants", (0..<count).map { NSAttributeDescription("c\($0)", .decimal) })
        let model = NSManagedObjectModel()
        model.entities = [item, constants]
        return model
    }

    /// Values that a mapping model takes over, inferred or stated, and constants in its expressions.
    @Test(arguments: [NSSQLiteStoreType, NSXMLStoreType], [true, false])
    func mappingModelsKeepNumbers(kind: String, isInferred: Bool) throws {
        let numbers = Self.numbers(seed: 18)
        let constants = numbers.flatMap { number, decimal in box(number).map { ($0, decimal) } }
        let old = model([.integer64, .double, .boolean], constants: constants.count)
        let new = model(
            [.decimal, .decimal, isInferred ? .boolean : .decimal], constants: constants.count)
        let folder = try TemporaryFolder()
        let (url, target) = (folder.file("Old"), folder.file("New"))
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: old)
        let store = try coordinator.addPersistentStore(ofType: kind, configurationName: nil, at: url)
        let context = StoreFixtures.context(coordinator)
        try context.performAndWait {
            for (mark, (number, _)) in numbers.enumerated() {
                let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
                item.setValue(mark, forKey: "mark")
                item.setValue(number, forKey: number is Double ? "n1" : number is Bool ? "n2" : "n0")
            }
            _ = NSEntityDescription.insertNewObject(forEntityName: "Constants", into: context)
            try context.save()
        }
        try coordinator.remove(store)
        let mapping =
            try isInferred
            ? NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
            : stated(constants.map(\.0), old, new)
        try NSMigrationManager(sourceModel: old, destinationModel: new).migrateStore(
            from: url, sourceType: kind, options: nil, with: mapping, toDestinationURL: target,
            destinationType: kind, destinationOptions: nil)
        try check(target, kind, new, numbers, isInferred ? [] : constants)
    }

    private func stated(
        _ constants: [Any], _ old: NSManagedObjectModel, _ new: NSManagedObjectModel
    ) throws -> NSMappingModel {
        let items = LibraryModels.entityMapping(
            "Items", "Item", "Item", .customEntityMappingType, old, new)
        items.attributeMappings = ["n0", "n1", "n2", "mark"].map {
            LibraryModels.property($0, "$source.\($0)")
        }
        let others = LibraryModels.entityMapping(
            "Constants", "Constants", "Constants", .customEntityMappingType, old, new)
        others.attributeMappings = constants.enumerated().map { number, constant in
            let mapping = NSPropertyMapping()
            mapping.name = "c\(number)"
            mapping.valueExpression = CoreData.NSExpression(forConstantValue: constant)
            return mapping
        }
        let mapping = NSMappingModel()
        mapping.entityMappings = [items, others]
        return mapping
    }

    private func check(
        _ url: URL, _ kind: String, _ model: NSManagedObjectModel, _ numbers: [(any Sendable, Decimal)],
        _ constants: [(Any, Decimal)]
    ) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(ofType: kind, configurationName: nil, at: url)
        let context = StoreFixtures.context(coordinator)
        try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
            request.sortDescriptors = [NSSortDescriptor(key: "mark", ascending: true)]
            let found = try context.fetch(request).map { item in
                ["n0", "n1", "n2"].lazy.compactMap {
                    (item.value(forKey: $0) as? NSDecimalNumber)?.decimalValue
                }
                .first
            }
            for (value, (number, decimal)) in zip(found, numbers)
            where !(number is Bool) || !constants.isEmpty {
                expect(value, equals: inStore(decimal, kind), "\(number)")
            }
            expect(found.count, equals: numbers.count)
            let object = try #require(try context.all("Constants").first)
            for (position, (number, decimal)) in constants.enumerated() {
                let value = (object.value(forKey: "c\(position)") as? NSDecimalNumber)?.decimalValue
                expect(value, equals: inStore(decimal, kind), "\(number)")
            }
        }
    }

    /// The ends of a decimal's range, and exponents near them.
    @Test(arguments: [NSSQLiteStoreType, NSInMemoryStoreType] + StoreKind.serverTypes)
    func decimalsOfAllMagnitudesComeBack(_ kind: String) throws {
        let numbers: [NSDecimalNumber] = [
            .maximum, .minimum, NSDecimalNumber(mantissa: 1, exponent: -127, isNegative: false),
            NSDecimalNumber(mantissa: 1_234_567_890_123, exponent: 127, isNegative: true),
            NSDecimalNumber(mantissa: 1_234_567_890_123, exponent: 126, isNegative: false),
            NSDecimalNumber(mantissa: 1_234_567_890_123, exponent: -127, isNegative: true),
            NSDecimalNumber(mantissa: 1_234_567_890_123, exponent: 10, isNegative: false), .zero,
        ]
        let stack = try TestStack(type: kind, model: Self.model())
        let context = stack.context
        for (mark, number) in numbers.enumerated() {
            _ = context.make("Item", ["price": number, "mark": mark])
        }
        try context.save()
        var expected = numbers.map(\.decimalValue)
        if kind == NSSQLiteStoreType {
            let inFile = try #require(
                Decimal(string: "34028236692093845" + String(repeating: "0", count: 149)))
            expected.replaceSubrange(0..<2, with: [inFile, -inFile])
        }
        try expect(stored(context), equals: expected)
    }
}
