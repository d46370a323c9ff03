// Lists as one parameter of a statement for SQLite.

import Foundation

/// Many values as one JSON text. Integers and plain texts stand for themselves; other values, which JSON
/// can't hold without loss, are spelled as texts that `NSCoreDataElement` reads.
struct ElementList {
    let json: SQLBinding
    /// A row of `json_each` as a value.
    let value: SQLFragment

    var select: SQLFragment { "SELECT \(value) FROM json_each(\(binding: json))" }

    init(_ bindings: [SQLBinding]) {
        var integers: [Int64] = []
        var texts: [String] = []
        for binding in bindings {
            switch binding {
            case .integer(let number): integers.append(number)
            case .text(let text) where !text.utf8.contains(0): texts.append(text)
            default: break
            }
        }
        if integers.count == bindings.count {
            json = .text("[" + integers.map(String.init).joined(separator: ",") + "]")
            value = "value"
        } else if texts.count == bindings.count {
            json = .text(Self.array(of: texts))
            value = "value"
        } else {
            json = .text(Self.array(of: bindings.map(SpelledElement.spell)))
            value = "\(sql: SQLFunction.Name.element.rawValue)(value)"
        }
    }

    private static func array(of texts: [String]) -> String {
        var result = "["
        for (index, text) in texts.enumerated() {
            if index > 0 { result += "," }
            result += "\""
            for scalar in text.unicodeScalars {
                switch scalar {
                case "\"": result += "\\\""
                case "\\": result += "\\\\"
                case _ where scalar.value < 0x20:
                    let digits = String(scalar.value, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                default: result.unicodeScalars.append(scalar)
                }
            }
            result += "\""
        }
        return result + "]"
    }
}
