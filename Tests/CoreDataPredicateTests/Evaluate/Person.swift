// A small readable object for evaluations.

import CoreDataPredicate
import CoreDataSupport
import Foundation

final class Person: KeyValueReadable, Sendable {
    let values: [String: Value]

    init(_ values: [String: Value]) { self.values = values }

    func predicateValue(forKey key: String) throws -> Value {
        guard let value = values[key] else { throw EvaluationFailure(reason: "no key \(key)") }
        return value
    }

    var predicateKeys: [String] { values.keys.sorted() }

    var value: Value { .object(ObjectReference(self)) }
}

extension Person {
    static func child(_ name: String?, _ age: Int64?, toys: [String] = []) -> Value {
        Person([
            "name": name.map(Value.string) ?? .null, "age": age.map(Value.integer) ?? .null,
            "toys": .array(toys.map(Value.string)),
        ]).value
    }

    /// Anna, 40, with Bob of 10 and Cid of 5 and a nameless child without age.
    static let anna = Person([
        "name": .string("Anna"), "nick": .string("Ännchen"), "age": .integer(40), "height": .double(1.7),
        "salary": .decimal(1234.5), "void": .null, "flag": .bool(true), "off": .bool(false),
        "flags": .integer(6),
        "birth": .date(.init(timeIntervalSinceReferenceDate: 1000)), "boss": .null, "empty": .set([]),
        "noneMany": .null,
        "id": .uuid(.init(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))),
        "tags": .array([.string("red"), .string("Blue")]),
        "scores": .array([.integer(3), .integer(1), .integer(3)]),
        "map": .dictionary([.string("k"): .integer(7)]), "blank": .string(""), "text": .string("a\nb"),
        "big": .integer(.max),
        "children": .array([
            child("Bob", 10, toys: ["ball", "car"]), child("Cid", 5, toys: ["ball"]), child(nil, nil),
        ]),
    ])
}
