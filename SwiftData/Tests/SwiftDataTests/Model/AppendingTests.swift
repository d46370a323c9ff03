import CoreData
import Foundation
import SwiftData
import Testing

/// Relationships to many models whose arrays are changed in place.
@Suite struct AppendingTests {
    private func chest() throws -> (Chest, ModelContext) {
        let container = try ModelContainer(
            for: Chest.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let context = ModelContext(container)
        let chest = Chest()
        context.insert(chest)
        return (chest, context)
    }

    private func saved(_ context: ModelContext) throws -> [Int] {
        try context.save()
        let crates = try ModelContext(context.container).fetch(FetchDescriptor<Chest>())
        return crates.flatMap(\.bottles).map(\.number).sorted()
    }

    @Test(arguments: [true, false]) func modelsAreAppendedOneByOne(isInserted: Bool) throws {
        let (inserted, context) = try chest()
        let chest = isInserted ? inserted : Chest()
        for number in 0..<50 {
            let bottle = Bottle(number)
            chest.bottles.append(bottle)
            #expect(bottle.chest === chest && chest.bottles.count == number + 1)
        }
        #expect(chest.bottles.map(\.number) == Array(0..<50))
        context.insert(chest)
        #expect(try saved(context) == Array(0..<50))
        chest.bottles.append(Bottle(50))
        #expect(try saved(context) == Array(0...50))
    }

    @Test func whatWasChangedBetweenAppendsCounts() throws {
        let (chest, context) = try chest()
        let bottles = (0..<10).map(Bottle.init)
        for bottle in bottles[..<5] { chest.bottles.append(bottle) }
        bottles[1].chest = nil
        chest.bottles.append(bottles[5])
        #expect(Set(chest.bottles.map(\.number)) == [0, 2, 3, 4, 5])
        bottles[6].chest = chest
        chest.bottles.append(bottles[7])
        #expect(Set(chest.bottles.map(\.number)) == [0, 2, 3, 4, 5, 6, 7])
        chest.bottles.removeAll { $0.number == 3 }
        #expect(bottles[3].chest == nil)
        chest.bottles.append(bottles[8])
        chest.bottles[0] = bottles[9]
        #expect(chest.bottles.count == 7 && chest.bottles.contains(bottles[9]))
        context.delete(bottles[4])
        chest.bottles.append(bottles[3])
        let expected = Set(chest.bottles.map(\.number)).subtracting([4])
        #expect(Set(try saved(context)) == expected)
        #expect(expected.isSuperset(of: [5, 8, 9, 3]))
    }

    @Test func aModelIsAMemberOnce() throws {
        let (chest, context) = try chest()
        let bottle = Bottle(1)
        chest.bottles.append(Bottle(0))
        for _ in 0..<3 { chest.bottles.append(bottle) }
        #expect(chest.bottles.map(\.number) == [0, 1])
        chest.bottles.append(contentsOf: [Bottle(2), bottle, Bottle(3)])
        #expect(try saved(context) == [0, 1, 2, 3])
    }

    @Test func aModelMovesFromOneToAnother() throws {
        let (first, context) = try chest()
        let second = Chest()
        context.insert(second)
        for number in 0..<4 { first.bottles.append(Bottle(number)) }
        for bottle in first.bottles { second.bottles.append(bottle) }
        #expect(first.bottles.isEmpty && second.bottles.count == 4)
        first.bottles.append(second.bottles[2])
        #expect(first.bottles.map(\.number) == [2])
        context.rollback()
        #expect(!context.hasChanges)
    }

    @Test func readsMeanwhileShowWhatWasThere() throws {
        let (chest, context) = try chest()
        for number in [3, 1, 2] { chest.bottles.append(Bottle(number)) }
        chest.bottles.sort { left, right in
            #expect(chest.bottles.count == 3)
            return left.number < right.number
        }
        struct Refusal: Error {}
        #expect(throws: Refusal.self) {
            try change(&chest.bottles) { bottles in
                bottles.removeLast()
                throw Refusal()
            }
        }
        #expect(try saved(context).count == 2)
    }

    private func change(_ bottles: inout [Bottle], _ body: (inout [Bottle]) throws -> Void) rethrows {
        try body(&bottles)
    }

    @Test func arraysOfValuesAreChangedInPlace() throws {
        let (chest, context) = try chest()
        chest.labels.append("a")
        chest.labels += ["b"]
        chest.labels[0] = "c"
        try context.save()
        #expect(
            try ModelContext(context.container).fetch(FetchDescriptor<Chest>()).first?.labels == ["c", "b"])
    }

    @Test func modelsEndWithTheContext() throws {
        weak var known: Bottle?
        do {
            let (chest, _) = try chest()
            let bottle = Bottle(0)
            chest.bottles.append(bottle)
            known = bottle
            #expect(known != nil)
        }
        #expect(known == nil)
    }
}

@Model
final class Chest {
    @Relationship(inverse: \Bottle.chest) var bottles: [Bottle] = []
    var labels: [String] = []

    init() {}
}

@Model
final class Bottle {
    var number: Int
    var chest: Chest?

    init(_ number: Int) { self.number = number }
}
