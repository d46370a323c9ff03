// Contexts of one container that edit and save the same models without waiting for each other.

import Foundation
import SwiftData

/// A context with the models that it works with.
final class Rival {
    let name: String
    let context: ModelContext
    var held: [Int: any Knot] = [:]
    /// Unsaved values, by numbers and names of traits.
    var pending: [Int: [String: AnyHashable]] = [:]
    var inserted: Set<Int> = []
    var deleted: Set<Int> = []

    init(_ name: String, _ container: ModelContainer) {
        self.name = name
        context = ModelContext(container)
    }

    /// The models that can be changed, by numbers.
    var present: [Int] {
        held.keys.filter { held[$0]?.modelContext === context && held[$0]?.isDeleted == false }.sorted()
    }

    func forget() { (pending, inserted, deleted) = ([:], [], []) }
}

/// A run of rivals. What is expected: the values that a context set are in the store after its save, and no others are changed;
/// both sides of each relationship agree; and the context shows what the store has.
final class RivalRun: Run {
    let container: ModelContainer
    private let rivals: [Rival]
    /// The values of the store.
    private var stored: [Int: [String: AnyHashable]] = [:]
    /// What a context set to a value that another one saved: it may count as no change by now.
    private var unsure: Set<String> = []

    init(seed: UInt64, skipping skipped: Set<Int> = [], configuration: ModelConfiguration) throws {
        container = try ModelContainer(for: ModelRun.schema, configurations: configuration)
        rivals = (0..<(seed % 3 == 0 ? 3 : 2)).map { [container] in Rival(["A", "B", "C"][$0], container) }
        super.init(seed: seed, skipping: skipped)
    }

    override func run(rounds: Int) throws {
        for _ in 0..<8 { take { make(rivals[0]) } }
        try save(rivals[0])
        for rival in rivals { try look(rival) }
        for _ in 0..<rounds * 3 where faults.isEmpty {
            try take {
                let rival = random.pick(of: rivals)
                for _ in 0..<(1 + random.pick(4)) { edit(rival) }
                switch random.pick(7) {
                case 0, 1: try save(rival)
                case 2: rollback(rival)
                case 3: try look(rival)
                case 4: rival.context.processPendingChanges()
                default: break
                }
                if rival.held.count > 30 { rival.held = rival.held.filter { $0.key % 3 > 0 } }
            }
        }
        for rival in rivals where faults.isEmpty { try take { try save(rival) } }
    }

    /// Has a context read what is there.
    private func look(_ rival: Rival) throws {
        note("\(rival.name) looks")
        for (number, model) in try all(rival.context) where random.pick(4) > 0 { rival.held[number] = model }
    }

    private func edit(_ rival: Rival) {
        let present = rival.present
        guard present.count > 4 else { return make(rival) }
        let number = random.pick(of: present)
        guard let model = rival.held[number] else { return }
        switch random.pick(12) {
        case 0: make(rival)
        case 1:
            if model is Club { return }
            note("\(rival.name) deletes \(Kind.of(model)) \(number)")
            rival.context.delete(model)
            rival.deleted.insert(number)
        case 2, 3, 4, 5:
            let trait = random.pick(of: Trait.of(Kind.of(model)))
            let value = trait.make(&random)
            note("\(rival.name) sets \(Kind.of(model)) \(number).\(trait.name) to \(value)")
            let old = trait.get(model)
            trait.set(model, value)
            let isAgain = rival.pending[number]?[trait.name] != nil
            // Back to what it was, or what another context saved, which may count as no change.
            if isAgain || stored[number]?[trait.name] == value { unsure.insert("\(number).\(trait.name)") }
            if old != value || isAgain { rival.pending[number, default: [:]][trait.name] = value }
        default: relate(rival, model, present)
        }
    }

    private func make(_ rival: Rival) {
        made += 1
        let kind = random.pick(of: [Kind.person, .person] + Kind.allCases)
        note("\(rival.name) makes \(kind) \(made)")
        let model = kind.plain(made)
        rival.context.insert(model)
        rival.held[made] = model
        rival.inserted.insert(made)
        for trait in Trait.of(kind) { rival.pending[made, default: [:]][trait.name] = trait.get(model) }
    }

    private func relate(_ rival: Rival, _ model: any Knot, _ present: [Int]) {
        let (relation, index) = (random.pick(of: Relation.all), random.pick(2))
        let (side, back) = (relation.sides[index], relation.sides[1 - index])
        guard Kind.of(model).isA(side.kind) else { return }
        let others = present.compactMap { rival.held[$0] }.filter { Kind.of($0).isA(back.kind) }
        guard !others.isEmpty else { return }
        let other = random.pick(of: others)
        let text = "\(rival.name): \(Kind.of(model)) \(model.number).\(side.name)"
        if let add = side.add, random.pick(3) > 0 {
            if side.get(model).contains(where: { $0.number == other.number }) { return }
            note("\(text) gets \(other.number)")
            add(model, other)
        } else if random.pick(4) == 0 {
            note("\(text) is emptied")
            side.set(model, [])
        } else {
            note("\(text) becomes \(other.number)")
            side.set(model, [other])
        }
    }

    private func rollback(_ rival: Rival) {
        note("\(rival.name) rolls back")
        rival.context.rollback()
        rival.forget()
        expect(!rival.context.hasChanges, "\(rival.name) has changes after a rollback")
    }

    private func save(_ rival: Rival) throws {
        note("\(rival.name) saves")
        do {
            try rival.context.save()
        } catch let error as NSError {
            return fault("\(rival.name)'s save fails: \(error)")
        }
        expect(!rival.context.hasChanges, "\(rival.name) has changes after a save")
        let context = ModelContext(container)
        let found = try all(context)
        for number in rival.inserted.union(stored.keys).sorted() where found[number] == nil {
            let isMine = rival.deleted.contains(number)
            // Pets and passports go with persons.
            let goes =
                rival.pending[number]?["weight"] != nil || stored[number]?["weight"] != nil
                || rival.pending[number]?["code"] != nil || stored[number]?["code"] != nil
            expect(isMine || goes || stored[number] == nil, "\(number) is gone")
            stored[number] = nil
        }
        for (number, values) in rival.pending where stored[number] != nil || rival.inserted.contains(number) {
            if found[number] != nil { stored[number, default: [:]].merge(values) { $1 } }
        }
        noteUnsure(rival)
        for (number, model) in found.sorted(by: { $0.key < $1.key }) {
            expect(!rival.deleted.contains(number), "\(number), which was deleted, is there")
            for trait in Trait.of(Kind.of(model)) {
                let (value, should) = (trait.get(model), stored[number]?[trait.name])
                if unsure.contains("\(number).\(trait.name)") {
                    stored[number]?[trait.name] = value
                    continue
                }
                expect(
                    value == should,
                    "\(number).\(trait.name) is \(value) in the store, not \(String(describing: should))")
            }
            checkSides(model, "the store")
        }
        rival.forget()
        let shown = try all(rival.context)
        expect(
            shown.keys.sorted() == found.keys.sorted(),
            "\(rival.name) shows \(shown.keys.sorted()), not \(found.keys.sorted())")
        for (number, model) in shown.sorted(by: { $0.key < $1.key }) {
            guard let other = found[number] else { continue }
            if let held = rival.held[number] {
                expect(
                    held === model || held.modelContext == nil, "\(rival.name) has two models of \(number)")
            }
            for trait in Trait.of(Kind.of(model)) {
                expect(
                    trait.get(model) == trait.get(other),
                    "\(rival.name) shows \(trait.get(model)) as \(number).\(trait.name), not \(trait.get(other))"
                )
            }
            for side in Side.of(Kind.of(model)) {
                let (own, should) = (
                    side.get(model).map(\.number).sorted(), side.get(other).map(\.number).sorted()
                )
                expect(
                    own == should,
                    "\(rival.name) shows \(own) as \(Kind.of(model)) \(number).\(side.name), not \(should)")
            }
        }
        for (number, model) in rival.held where found[number] == nil {
            expect(
                model.modelContext == nil || model.isDeleted, "\(number), which is gone, is in \(rival.name)")
        }
        rival.held = rival.held.filter { found[$0.key] != nil && $0.value.modelContext != nil }
    }

    private func noteUnsure(_ rival: Rival) {
        for other in rivals where other !== rival {
            for (number, values) in other.pending {
                for (name, value) in values where stored[number]?[name] == value {
                    unsure.insert("\(number).\(name)")
                }
            }
        }
    }

    private func checkSides(_ model: any Knot, _ place: String) {
        for relation in Relation.all {
            for index in 0...1 where Kind.of(model).isA(relation.sides[index].kind) {
                for other in relation.sides[index].get(model) {
                    let back = relation.sides[1 - index].get(other).map(\.number)
                    expect(
                        back.contains(model.number),
                        "in \(place) \(model.number).\(relation.sides[index].name) leads to \(other.number), which leads to \(back)"
                    )
                }
            }
        }
    }
}

extension Side {
    static func of(_ kind: Kind) -> [Side] { Relation.all.flatMap(\.sides).filter { kind.isA($0.kind) } }
}

extension Kind {
    /// A model with nothing but its number.
    func plain(_ number: Int) -> any Knot {
        switch self {
        case .person: Person(number: number, name: "new")
        case .teacher: Teacher(number: number, name: "new", subject: "s")
        case .pet: Pet(number: number, name: "new")
        case .club: Club(number: number, title: "c\(number)")
        case .tag: Tag(number: number, label: "t\(number)", colour: 1)
        case .passport: Passport(number: number, code: UUID())
        }
    }
}
