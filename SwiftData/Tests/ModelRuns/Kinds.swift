// The models' properties as values that tell how to read and write them.

import Foundation
import SwiftData

enum Kind: Int, CaseIterable {
    case person, teacher, pet, club, tag, passport

    var type: any Knot.Type {
        switch self {
        case .person: Person.self
        case .teacher: Teacher.self
        case .pet: Pet.self
        case .club: Club.self
        case .tag: Tag.self
        case .passport: Passport.self
        }
    }

    func isA(_ other: Kind) -> Bool { self == other || (self == .teacher && other == .person) }

    static func of(_ model: any Knot) -> Kind {
        allCases.last { $0.type == Swift.type(of: model) } ?? .person
    }
}

/// An attribute.
struct Trait: @unchecked Sendable {
    let name: String
    let kind: Kind
    let get: (any Knot) -> AnyHashable
    let set: (any Knot, AnyHashable) -> Void
    let make: (inout SeededGenerator) -> AnyHashable

    init<Model: Knot, Value: Hashable>(
        _ name: String, _ kind: Kind, _ keyPath: ReferenceWritableKeyPath<Model, Value>,
        _ make: @escaping (inout SeededGenerator) -> Value
    ) {
        self.name = name
        self.kind = kind
        get = { model in (model as? Model).map { AnyHashable($0[keyPath: keyPath]) } ?? AnyHashable("?") }
        set = { model, value in
            guard let model = model as? Model, let value = value.base as? Value else { return }
            model[keyPath: keyPath] = value
        }
        self.make = { AnyHashable(make(&$0)) }
    }

    static let all: [Trait] = [
        Trait("name", .person, \Person.name) { "n\($0.pick(1000))" },
        Trait("mood", .person, \Person.mood) { $0.pick(of: Mood.allCases) },
        Trait("level", .person, \Person.level) { $0.maybe { $0.pick(of: Level.allCases) } },
        Trait("home", .person, \Person.home) { $0.address() },
        Trait("second", .person, \Person.second) { $0.maybe { $0.address() } },
        Trait("office", .person, \Person.office) {
            $0.maybe { Office(address: $0.address(), floor: $0.pick(5)) }
        },
        Trait("marks", .person, \Person.marks) { (0..<$0.pick(4)).map { $0 * 3 } },
        Trait("figure", .person, \Person.figure) {
            [.none, .circle(radius: Double($0.pick(9)) / 2), .text("t\($0.pick(9))")][$0.pick(3)]
        },
        Trait("born", .person, \Person.born) {
            $0.maybe { Date(timeIntervalSinceReferenceDate: Double($0.pick(100)) * 86_400) }
        },
        Trait("score", .person, \Person.score) { Double($0.pick(100)) / 4 },
        Trait("fee", .person, \Person.fee) { Decimal($0.pick(1000)) / 100 },
        Trait("photo", .person, \Person.photo) { random in
            random.maybe { Data(repeating: UInt8($0.pick(250)), count: [0, 10, 300_000][$0.pick(3)]) }
        },
        Trait("badge", .person, \Person.badge) { "b\($0.pick(1000))" },
        Trait("subject", .teacher, \Teacher.subject) { "s\($0.pick(20))" },
        Trait("hours", .teacher, \Teacher.hours) { Int16($0.pick(40)) },
        Trait("name", .pet, \Pet.name) { "p\($0.pick(1000))" },
        Trait("weight", .pet, \Pet.weight) { Float($0.pick(100)) / 8 },
        Trait("title", .club, \Club.title) { "c\($0.pick(1_000_000_000))" },
        Trait("seats", .club, \Club.seats) { UInt16($0.pick(65_000)) },
        Trait("label", .tag, \Tag.label) { "t\($0.pick(1_000_000_000))" },
        Trait("colour", .tag, \Tag.colour) { $0.pick(3) },
        Trait("note", .tag, \Tag.note) { $0.maybe { "n\($0.pick(9))" } },
        Trait("code", .passport, \Passport.code) { $0.uuid() },
        Trait("isValid", .passport, \Passport.isValid) { $0.pick(2) == 0 },
    ]

    private static let byKind = Kind.allCases.map { kind in all.filter { kind.isA($0.kind) } }

    static func of(_ kind: Kind) -> [Trait] { byKind[kind.rawValue] }
}

/// One side of a relationship.
struct Side {
    let name: String
    let kind: Kind
    let isToOne: Bool
    var cascades = false
    let get: (any Knot) -> [any Knot]
    let set: (any Knot, [any Knot]) -> Void
    /// Adds one in place; nil for a side that leads to one.
    let add: ((any Knot, any Knot) -> Void)?

    static func one<Model: Knot, Other: Knot>(
        _ name: String, _ kind: Kind, _ keyPath: ReferenceWritableKeyPath<Model, Other?>,
        cascades: Bool = false
    ) -> Side {
        Side(
            name: name, kind: kind, isToOne: true, cascades: cascades,
            get: { model in ((model as? Model)?[keyPath: keyPath]).map { [$0] } ?? [] },
            set: { model, others in (model as? Model)?[keyPath: keyPath] = others.first as? Other },
            add: nil)
    }

    static func many<Model: Knot, Others: Sequence, Other: Knot>(
        _ name: String, _ kind: Kind, _ keyPath: ReferenceWritableKeyPath<Model, Others>,
        _ make: @escaping ([Other]) -> Others, cascades: Bool = false, add: @escaping (Model, Other) -> Void
    ) -> Side where Others.Element == Other {
        Side(
            name: name, kind: kind, isToOne: false, cascades: cascades,
            get: { model in (model as? Model).map { Array($0[keyPath: keyPath]) } ?? [] },
            set: { model, others in
                (model as? Model)?[keyPath: keyPath] = make(others.compactMap { $0 as? Other })
            },
            add: { model, other in
                if let model = model as? Model, let other = other as? Other { add(model, other) }
            })
    }
}

/// A relationship with both sides.
struct Relation {
    /// The two sides: what the models of the first kind have, and what those of the second.
    let sides: [Side]

    nonisolated(unsafe) static let all: [Relation] = [
        Relation(sides: [
            .one("mentor", .person, \Person.mentor),
            .many("pupils", .person, \Person.pupils, { $0 }) { $0.pupils.append($1) },
        ]),
        Relation(sides: [
            .many("friends", .person, \Person.friends, { $0 }) { $0.friends.append($1) },
            .many("friendOf", .person, \Person.friendOf, { $0 }) { $0.friendOf.append($1) },
        ]),
        Relation(sides: [
            .one("club", .person, \Person.club),
            Side(
                name: "members", kind: .club, isToOne: false, get: { ($0 as? Club)?.members ?? [] },
                set: { ($0 as? Club)?.members = $1.compactMap { $0 as? Person } },
                add: { club, other in (other as? Person).map { (club as? Club)?.members?.append($0) } }),
        ]),
        Relation(sides: [
            .one("owner", .pet, \Pet.owner),
            .many("pets", .person, \Person.pets, { $0 }, cascades: true) { $0.pets.append($1) },
        ]),
        Relation(sides: [
            .many("tags", .person, \Person.tags, { Set($0) }) { $0.tags.insert($1) },
            .many("people", .tag, \Tag.people, { $0 }) { $0.people.append($1) },
        ]),
        Relation(sides: [
            .one("passport", .person, \Person.passport, cascades: true),
            .one("holder", .passport, \Passport.holder),
        ]),
        Relation(sides: [
            .one("assistant", .teacher, \Teacher.assistant),
            .one("assists", .person, \Person.assists),
        ]),
    ]

    /// The number of the relationship that a delete rule denies to leave.
    static let denying = 2
}
