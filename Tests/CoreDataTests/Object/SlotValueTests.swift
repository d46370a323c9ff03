// The numbers that clients give, and the attributes' values for them.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

struct SlotValueTests {
    @Test func numbersOfAnyTypeFit() throws {
        let stack = try TestStack()
        try stack.context.run {
            let person = stack.context.make("Person")
            let whole: [(Any, Int)] = [
                (7, 7), (Int16(-7), -7), (UInt8(7), 7), (NSNumber(value: 7), 7), (NSNumber(value: 2.7), 2),
                (NSNumber(value: -2.7), -2), (NSNumber(value: true), 1), (true, 1), (2.7, 2), (Float(2.5), 2),
                (Decimal(9), 9), (NSDecimalNumber(string: "9.5"), 9), (NSNumber(value: UInt16.max), 65_535),
            ]
            for (given, expected) in whole {
                person.setValue(given, forKey: "visits")
                expect(person.value(forKey: "visits") as? Int, equals: expected, "\(given)")
            }
            let fractions: [(Any, Double)] = [
                (2.5, 2.5), (Float(2.5), 2.5), (NSNumber(value: 2.5), 2.5), (NSNumber(value: 3), 3), (3, 3),
                (Decimal(string: "2.5") ?? 0, 2.5), (NSDecimalNumber(string: "2.5"), 2.5), (true, 1),
                (NSNumber(value: true), 1),
            ]
            for (given, expected) in fractions {
                person.setValue(given, forKey: "height")
                expect(person.value(forKey: "height") as? Double, equals: expected, "\(given)")
            }
            for (given, expected) in [(NSNumber(value: 0.5), false), (NSNumber(value: 2), true), (0, false)]
                as [(Any, Bool)]
            {
                person.setValue(given, forKey: "isActive")
                expect(person.value(forKey: "isActive") as? Bool, equals: expected, "\(given)")
            }
        }
    }
}
