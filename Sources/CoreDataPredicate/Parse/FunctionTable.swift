// The functions that a format may name. The table is closed: nothing else can be called from a text.

import CoreDataSupport

package enum FunctionTable {
    /// Predefined functions by selector name; the number of colons is the number of arguments.
    package static let predefined: Set<String> = [
        "sum:", "count:", "min:", "max:", "average:", "median:", "mode:", "stddev:",
        "add:to:", "from:subtract:", "multiply:by:", "divide:by:", "modulus:by:", "raise:toPower:",
        "sqrt:", "log:", "ln:", "exp:", "floor:", "ceiling:", "abs:", "trunc:",
        "uppercase:", "lowercase:", "canonical:", "length:", "characters:",
        "noindex:", "indexed:by:",
        "random", "random:", "now",
        "bitwiseAnd:with:", "bitwiseOr:with:", "bitwiseXor:with:", "leftshift:by:", "rightshift:by:",
        "onesComplement:", "castObject:toType:", "objectFrom:withIndex:", "distanceToLocation:fromLocation:",
    ]

    /// Methods that `FUNCTION(operand, "name", …)` may call on its operand.
    package static let methods: Set<String> = [
        "valueForKey:", "valueForKeyPath:", "objectForKey:", "objectAtIndex:", "firstObject", "lastObject",
        "count", "length", "uppercaseString", "lowercaseString", "capitalizedString", "description",
        "stringByAppendingString:", "hasPrefix:", "hasSuffix:", "containsString:", "isEqual:",
        "substringFromIndex:",
        "substringToIndex:", "intValue", "integerValue", "longLongValue", "floatValue", "doubleValue",
        "boolValue",
        "timeIntervalSinceReferenceDate", "timeIntervalSince1970", "timeIntervalSinceDate:",
        "dateByAddingTimeInterval:", "absoluteString", "UUIDString", "self",
        "isEqualToString:", "compare:", "caseInsensitiveCompare:",
        "stringByReplacingOccurrencesOfString:withString:", "componentsSeparatedByString:",
        "lastPathComponent",
        "pathExtension", "stringByDeletingPathExtension", "stringByDeletingLastPathComponent",
        "stringByAppendingPathComponent:", "stringValue", "decimalValue", "charValue", "shortValue",
        "longValue",
        "unsignedIntValue", "unsignedIntegerValue", "unsignedLongLongValue", "isEqualToNumber:",
        "isEqualToDate:",
        "earlierDate:", "laterDate:", "timeIntervalSinceNow", "componentsJoinedByString:", "containsObject:",
        "indexOfObject:", "arrayByAddingObject:", "isEqualToArray:", "allObjects", "anyObject",
        "isSubsetOfSet:",
        "intersectsSet:", "isEqualToSet:", "setByAddingObject:", "allKeys", "allValues", "path", "host",
        "scheme",
    ]

    /// Functions over one collection, which may be written with its elements as arguments: `max(1, 2)`.
    static let aggregates: Set<String> = [
        "sum:", "count:", "min:", "max:", "average:", "median:", "mode:", "stddev:",
    ]

    /// The types that `CAST` knows.
    package static let castTypes: Set<String> = [
        "NSDate", "NSString", "NSNumber", "NSDecimalNumber", "NSUUID", "NSURL", "NSData",
    ]

    /// Selectors that a custom comparison may name.
    package static let selectors: Set<String> = [
        "isEqual:", "isEqualTo:", "isEqualToString:", "isNotEqualTo:", "isLessThan:", "isLessThanOrEqualTo:",
        "isGreaterThan:", "isGreaterThanOrEqualTo:", "isLike:", "isCaseInsensitiveLike:", "doesContain:",
        "containsObject:", "containsString:", "localizedCaseInsensitiveContainsString:",
        "localizedStandardContainsString:", "hasPrefix:", "hasSuffix:",
    ]

    /// The selector of a predefined function as typed, with or without colons and in any case.
    static func selector(_ name: String, arguments: Int) -> String? {
        if predefined.contains(name), self.arguments(of: name) == arguments || aggregates.contains(name) {
            return name
        }
        return selectorsByTypedName[name.lowercased()]?.first {
            self.arguments(of: $0) == arguments || aggregates.contains($0)
        }
    }

    /// The number of arguments that a selector takes.
    package static func arguments(of selector: String) -> Int {
        selector.utf8.count { $0 == UInt8(ascii: ":") }
    }

    /// Returns whether a predefined function has this name, with or without its last colon and in any case.
    package static func isKnown(_ name: String) -> Bool {
        predefined.contains(name) || selectorsByTypedName[name.lowercased()] != nil
    }

    private static let selectorsByTypedName: [String: [String]] = {
        var table: [String: [String]] = [:]
        for selector in predefined.sorted() {
            table[selector.lowercased(), default: []].append(selector)
            guard selector.hasSuffix(":") else { continue }
            table[String(selector.lowercased().dropLast()), default: []].append(selector)
        }
        return table
    }()
}

extension ExpressionTree {
    /// The indexes `[FIRST]`, `[LAST]` and `[SIZE]`: the second argument of `objectFrom:withIndex:` only.
    package static let firstIndex = ExpressionTree.function(operand: nil, name: "first", arguments: [])
    package static let lastIndex = ExpressionTree.function(operand: nil, name: "last", arguments: [])
    package static let sizeIndex = ExpressionTree.function(operand: nil, name: "size", arguments: [])
}
