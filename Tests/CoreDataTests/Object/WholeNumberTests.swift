// Numbers beyond 64 bits for integer attributes.

import CoreDataTestSupport
import Foundation
import Testing

@testable import CoreData

@Suite struct WholeNumberTests {
    @Test func numbersInRangeAreCut() throws {
        let cases: [(Any, Int64)] = [
            (NSNumber(value: 3.7), 3), (NSNumber(value: -3.7), -3), (NSNumber(value: Int64.max), .max),
            (NSNumber(value: Int64.min), .min), (NSNumber(value: -1), -1), (0.5, 0), (Float(2.5), 2),
            (Decimal(7.9), 7), (NSDecimalNumber(string: "9223372036854775807"), .max), (UInt8(5), 5),
            (NSNumber(value: true), 1), (-0x1p63, .min), (NSNumber(value: 0x1p62), 1 << 62),
            (NSDecimalNumber(string: "9007199254740993"), 9_007_199_254_740_993),
        ]
        for (value, number) in cases {
            #expect(WholeNumber(value) == .inRange(number), "\(value) \(type(of: value))")
        }
        #expect(WholeNumber("5") == nil)
    }

    @Test func numbersBeyond64BitsAreKnown() throws {
        let large: [Any] = [
            1e30, NSNumber(value: 1e30), NSNumber(value: 0x1p63), NSNumber(value: UInt64.max),
            NSNumber(value: UInt64(1) << 63), UInt64.max, Double.infinity, Decimal(string: "1e30") ?? 0,
            NSDecimalNumber(string: "9223372036854775808"),
        ]
        for value in large { #expect(WholeNumber(value) == .tooLarge, "\(value) \(type(of: value))") }
        for value in [-1e30, NSNumber(value: -1e30), -Double.infinity] as [Any] {
            #expect(WholeNumber(value) == .tooSmall, "\(value)")
        }
        for value in [Double.nan, NSNumber(value: Double.nan)] as [Any] {
            #expect(WholeNumber(value) == .notANumber, "\(value)")
        }
    }

    @Test func aNarrowAttributeKeepsANumberThatFailsValidation() throws {
        let model = NSManagedObjectModel()
        model.entities = [
            NSEntityDescription(
                "Thing",
                NSAttributeDescription.all(
                    ("small", .integer16AttributeType), ("middle", .integer32AttributeType)))
        ]
        let stack = try TestStack(model: model)
        try stack.context.run { () throws in
            let person = stack.context.make("Thing", [:])
            for (value, code) in [
                (1e30, NSValidationNumberTooLargeError), (-1e30, NSValidationNumberTooSmallError),
            ] {
                for key in ["small", "middle"] {
                    person[key] = value
                    #expect { try stack.context.save() } throws: { ($0 as NSError).code == code }
                    person[key] = 1
                }
            }
            try stack.context.save()
        }
    }

    @Test func anInteger64IsValidatedBeforeItIsSet() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let person = stack.context.make("Person", ["name": "Ada"])
            var value: Any? = 1e30
            #expect { try person.validateValue(&value, forKey: "visits") } throws: {
                ($0 as NSError).code == NSValidationNumberTooLargeError
            }
            value = -1e30
            #expect { try person.validateValue(&value, forKey: "visits") } throws: {
                ($0 as NSError).code == NSValidationNumberTooSmallError
            }
        }
    }

    @Test(arguments: ["1e30", "-1e30", "nan", "inf", "9223372036854775808"])
    func anInteger64RefusesIt(_ text: String) async {
        await #expect(processExitsWith: .failure) { [text = text as String] in
            let value = try #require(Double(text))
            let stack = try TestStack()
            try stack.context.run { _ = stack.context.make("Person", ["visits": value]) }
        }
    }

    @Test(arguments: [StoreKind.sqlite, .inMemory]) func batchesRefuseIt(_ kind: StoreKind) throws {
        let container = try kind.makeContainer()
        let context = container.newBackgroundContext()
        try context.run { () throws in
            for value in [1e30, NSNumber(value: 1e30), UInt64.max] as [Any] {
                let insert = NSBatchInsertRequest(entityName: "Person", objects: [["visits": value]])
                #expect(throws: NSError.self) { try context.execute(insert) }
                let update = NSBatchUpdateRequest(entityName: "Person")
                update.propertiesToUpdate = ["visits": value]
                #expect(throws: NSError.self) { try context.execute(update) }
            }
            #expect(try context.all("Person").isEmpty)
        }
    }

    @Test func aPredicatesConstantIsComparedAsItIs() throws {
        let container = try StoreKind.sqlite.makeContainer()
        let context = container.newBackgroundContext()
        try context.run { () throws in
            _ = context.make("Person", ["visits": Int64.max])
            try context.save()
            for (format, value, count) in [
                ("visits < %@", NSNumber(value: 1e30), 1), ("visits > %@", NSNumber(value: -1e30), 1),
                ("visits == %@", NSNumber(value: 0x1p63), 0), ("visits < %@", NSNumber(value: UInt64.max), 1),
            ] {
                let found = try context.find("Person", format, value)
                #expect(found.count == count, "\(format) \(value)")
            }
        }
    }
}
