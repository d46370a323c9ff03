// Default values in the form that goes with the attribute's type: files keep a Double's 0 as an integer.

package import CoreDataSupport
import Foundation

extension AttributeType {
    /// The value in this type's own form where that loses nothing, else the value itself.
    package func coerced(_ value: Value) -> Value {
        switch (self, value) {
        case (.boolean, .integer(let number)) where number == 0 || number == 1: .bool(number == 1)
        case (.integer16, .bool(let flag)), (.integer32, .bool(let flag)), (.integer64, .bool(let flag)):
            .integer(flag ? 1 : 0)
        case (.integer16, .double(let number)), (.integer32, .double(let number)),
            (.integer64, .double(let number)):
            Int64(exactly: number).map { .integer($0) } ?? value
        case (.double, .integer(let number)), (.float, .integer(let number)):
            Double(exactly: number).map { .double($0) } ?? value
        case (.double, .bool(let flag)), (.float, .bool(let flag)): .double(flag ? 1 : 0)
        case (.decimal, .integer(let number)): .decimal(Decimal(number))
        case (.decimal, .double(let number)): Decimal(shortest: number).map { .decimal($0) } ?? value
        default: value
        }
    }
}
