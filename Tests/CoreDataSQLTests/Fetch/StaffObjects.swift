// The persons of `StaffRows` as objects in memory, so that every predicate can be evaluated both ways.

import CoreDataPredicate
import CoreDataSupport
import Foundation

/// One object; its relationships are set once all objects are there, and never change after.
final class StaffObject: KeyValueReadable {
    let key: Int64
    fileprivate(set) var values: [String: Value]

    init(_ key: Int64, _ values: [String: Value]) {
        self.key = key
        self.values = values
    }

    var value: Value { .object(ObjectReference(self)) }

    func predicateValue(forKey key: String) throws -> Value {
        if key == "objectID" { return value }
        guard let value = values[key] else {
            throw EvaluationFailure(reason: "keypath \(key) not found")
        }
        return value
    }
}

struct StaffObjects {
    private let persons: [StaffObject]

    init() {
        let tags = ["red", "blue"].enumerated().map { index, name in
            StaffObject(Int64(index + 1), ["name": .string(name)])
        }
        persons = Self.attributes.enumerated().map { StaffObject(Int64($0.offset + 1), $0.element) }
        let boss = [1: 0, 2: 0, 3: 1, 4: 2]
        let friends = [0: [1, 2], 1: [2], 2: [4], 4: [0]]
        let tagged = [0: [0, 1], 1: [0]]
        for (index, person) in persons.enumerated() {
            person.values["boss"] = boss[index].map { persons[$0].value } ?? .null
            let reports = persons.indices.filter { boss[$0] == index }
            person.values["reports"] = .set(Set(reports.map { persons[$0].value }))
            person.values["friends"] = .set(Set((friends[index] ?? []).map { persons[$0].value }))
            person.values["tags"] = .set(Set((tagged[index] ?? []).map { tags[$0].value }))
        }
    }

    /// The keys of the persons that satisfy a predicate.
    func keys(_ predicate: PredicateTree) throws -> [Int64] {
        try persons.filter { try Evaluator().matches(predicate, $0.value) }.map(\.key)
    }

    private static let attributes: [[String: Value]] = [
        [
            "name": .string("Ann"), "surname": .string("Smith"), "age": .integer(30), "height": .double(1.7),
            "balance": .decimal(Decimal(105) / 10), "isActive": .bool(true), "birthday": date(0),
            "token": .uuid(UUID()), "color": .string("red"), "photo": .data(Data([0xAA])),
        ],
        [
            "name": .string("Bob"), "surname": .null, "age": .integer(40), "height": .null,
            "balance": .decimal(7), "isActive": .bool(false), "birthday": date(86400), "token": .null,
            "color": .null, "photo": .null,
        ],
        [
            "name": .string("Émile"), "surname": .string("Émile"), "age": .null, "height": .double(1.8),
            "balance": .null, "isActive": .bool(true), "birthday": .null, "token": .null, "color": .null,
            "photo": .null,
        ],
        [
            "name": .string("Dora"), "surname": .string("smith"), "age": .integer(25), "height": .double(1.6),
            "balance": .decimal(3), "isActive": .null, "birthday": date(100.5), "token": .null,
            "color": .null, "photo": .null,
        ],
        [
            "name": .null, "surname": .string("Jones"), "age": .integer(30), "height": .double(1.75),
            "balance": .decimal(-1), "isActive": .bool(false), "birthday": .null, "token": .null,
            "color": .null, "photo": .null,
        ],
    ]

    private static func date(_ seconds: Double) -> Value {
        .date(Date(timeIntervalSinceReferenceDate: seconds))
    }
}
