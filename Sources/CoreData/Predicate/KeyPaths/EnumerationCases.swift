// The known facts about an enumeration whose raw values an attribute holds: its cases, and whether their
// order is that of the raw values.

import CoreDataSupport
import Foundation

/// The cases of a type that has raw values, as far as they can be found: all if it is `CaseIterable`, else those of the
/// raw values that are tried.
struct EnumerationCases {
    /// The raw values.
    let values: [Value]
    /// Indicates whether `<` on the cases, where the type has it, says the same as on the raw values.
    let areInOrder: Bool

    /// Nil for a type without raw values. An optional's are those of what it wraps.
    init?(_ type: Any.Type, trying given: [Value] = []) {
        var type = type
        while let optional = type as? any OptionalType.Type { type = optional.wrapped }
        guard let enumeration = type as? any RawRepresentable.Type else { return nil }
        self = Self.cases(enumeration, given: given)
    }

    private init<Enumeration: RawRepresentable>(_ cases: [Enumeration]) {
        values = cases.map { Value($0.rawValue) }
        areInOrder = Self.areInOrder(cases)
    }

    private static func cases<Enumeration: RawRepresentable>(
        _ type: Enumeration.Type, given: [Value]
    ) -> EnumerationCases { EnumerationCases(known(type, trying: given)) }

    /// The cases themselves.
    static func known<Enumeration: RawRepresentable>(
        _ type: Enumeration.Type, trying given: [Value] = [], andOf others: [Value] = []
    ) -> [Enumeration] {
        if let iterable = type as? any CaseIterable.Type {
            return all(iterable).compactMap { $0 as? Enumeration }
        }
        return (given + usual + others).compactMap { value in raw(value).flatMap { Enumeration(rawValue: $0) }
        }
    }

    /// Raw values that are tried.
    private static var usual: [Value] { (-1...255).map(Value.integer) + [.string("")] }

    /// A case that can be found, the first one if it is known which that is.
    static func any<Enumeration: RawRepresentable>(_ type: Enumeration.Type) -> Enumeration? {
        if let iterable = type as? any CaseIterable.Type { return all(iterable).first as? Enumeration }
        return usual.lazy.compactMap { value in raw(value).flatMap { Enumeration(rawValue: $0) } }.first
    }

    private static func all<Iterable: CaseIterable>(_ type: Iterable.Type) -> [Any] { Array(type.allCases) }

    /// A value as a raw value's type.
    private static func raw<Raw>(_ value: Value) -> Raw? {
        switch value {
        case .integer(let number):
            (Raw.self as? any FixedWidthInteger.Type).flatMap { integer(number, type: $0) as? Raw }
        case .string(let text): text as? Raw
        case .double(let number): number as? Raw
        default: nil
        }
    }

    private static func integer<Number: FixedWidthInteger>(_ number: Int64, type: Number.Type) -> Number? {
        Number(exactly: number)
    }

    private static func areInOrder<Enumeration: RawRepresentable>(_ cases: [Enumeration]) -> Bool {
        guard let ordered = cases as? [any Comparable],
            let raws = cases.map(\.rawValue) as? [any Comparable]
        else { return true }
        return cases.indices.allSatisfy { first in
            cases.indices.allSatisfy { second in
                isLess(ordered[first], than: ordered[second]) == isLess(raws[first], than: raws[second])
            }
        }
    }

    private static func isLess<Left: Comparable>(_ left: Left, than right: any Comparable) -> Bool {
        (right as? Left).map { left < $0 } ?? false
    }
}
