// Numbers in JSON and CSV files become decimals, and integers of 64 bits, as they stand there.

import CoreData
import CoreDataTestSupport
import Foundation
import StoreTools
import Testing

@Suite struct ExactNumberImportTests {
    enum Form: CaseIterable {
        case list, lines, texts, csv

        func text(_ numbers: [(price: String, count: String)]) -> String {
            let objects = numbers.enumerated().map { mark, number in
                self == .texts
                    ? #"{"mark": \#(mark), "price": "\#(number.price)", "count": "\#(number.count)"}"#
                    : #"{"mark": \#(mark), "price": \#(number.price), "count": \#(number.count)}"#
            }
            return switch self {
            case .list, .texts: "[" + objects.joined(separator: ",\n") + "]"
            case .lines: objects.joined(separator: "\n")
            case .csv:
                "mark,price,count\n"
                    + numbers.enumerated().map { "\($0),\($1.price),\($1.count)\n" }.joined()
            }
        }
    }

    private static func numbers() -> [(price: String, count: String)] {
        var generator = SeededGenerator(seed: 19)
        var numbers = [
            ("5000000093", "9007199254740993"), ("19.99", "-9223372036854775808"),
            ("0.1", "9223372036854775807"), ("-123456789.012345", "0"), ("1e3", "-1"),
        ]
        for _ in 0..<60 {
            let integer = Int64.random(in: .min ... .max, using: &generator)
            let cents = Int64.random(in: -99_999_999_999...99_999_999_999, using: &generator)
            numbers.append(("\(Double(cents) / 1000)", "\(integer)"))
            numbers.append(("\(integer >> Int64.random(in: 0..<60, using: &generator))", "\(cents)"))
        }
        return numbers
    }

    @Test(arguments: Form.allCases)
    func numbersStayAsTheyAre(form: Form) throws {
        let folder = try TemporaryFolder()
        let (url, file) = (folder.file("Store.sqlite"), folder.file("values"))
        let item = NSEntityDescription()
        item.name = "Item"
        item.properties = [
            ("price", NSAttributeType.decimalAttributeType), ("count", .integer64AttributeType),
            ("mark", .integer64AttributeType),
        ].map { name, type in
            let attribute = NSAttributeDescription()
            (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
            return attribute
        }
        let model = NSManagedObjectModel()
        model.entities = [item]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let made = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url)
        try coordinator.remove(made)
        let numbers = Self.numbers()
        try form.text(numbers).write(to: file, atomically: true, encoding: .utf8)

        let store = try OpenStore(path: url.path, access: .writing)
        defer { try? store.close() }
        let entity = try #require(store.model.entitiesByName["Item"])
        let work = try StoreImport(into: store, entity: entity) {
            form == .csv ? try CSVReader(file) as any ImportReader : try JSONReader(file)
        }
        let count = try work.check()
        expect(work.takeFailures().map { "\($0)" }, equals: [])
        try expect(work.insert(total: count), equals: numbers.count)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.sortDescriptors = [NSSortDescriptor(key: "mark", ascending: true)]
        let found = try store.context.fetch(request)
        try #require(found.count == numbers.count)
        for (object, (price, count)) in zip(found, numbers) {
            let decimal = (object.value(forKey: "price") as? NSDecimalNumber)?.decimalValue
            // A file keeps whole numbers of 64 bits and floating-point numbers of 15 digits.
            expect(decimal, equals: Decimal(string: price), "\(price)")
            expect((object.value(forKey: "count") as? NSNumber)?.int64Value, equals: Int64(count), "\(count)")
        }
    }
}
