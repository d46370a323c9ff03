// Numbers beyond what an attribute can hold.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct NarrowNumberTests {
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

    @Test(arguments: [StoreKind.sqlite, .inMemory] + StoreKind.onServers) func batchesRefuseIt(
        _ kind: StoreKind
    ) throws {
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
                expect(found.count, equals: count, "\(format) \(value)")
            }
        }
    }
}
