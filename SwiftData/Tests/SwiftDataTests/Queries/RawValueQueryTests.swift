import Foundation
import SwiftData
import Testing

/// Predicates and orders of raw values.
@Suite struct RawValueQueryTests {
    private func context() throws -> ModelContext {
        let container = try ModelContainer(
            for: Chore.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let context = ModelContext(container)
        context.insert(Chore("a", .low, .yard, Weight(rawValue: "light")))
        context.insert(Chore("b", .high, .kitchen, Weight(rawValue: "heavy")))
        context.insert(Chore("c", .medium, nil, Weight(rawValue: "medium")))
        try context.save()
        return ModelContext(container)
    }

    private func names(
        _ predicate: Predicate<Chore>? = nil, by order: SortDescriptor<Chore> = SortDescriptor(\.name)
    ) throws -> [String] {
        try context().fetch(FetchDescriptor(predicate: predicate, sortBy: [order])).map(\.name)
    }

    @Test func numbersAreCompared() throws {
        #expect(try names(#Predicate { $0.urgency.rawValue >= 2 }) == ["b", "c"])
        let urgency = Urgency.low
        #expect(try names(#Predicate { $0.urgency.rawValue > urgency.rawValue }) == ["b", "c"])
        #expect(try names(#Predicate { $0.urgency == urgency }) == ["a"])
    }

    @Test func textsAreCompared() throws {
        #expect(try names(#Predicate { $0.room?.rawValue == "yard" }) == ["a"])
        #expect(try names(#Predicate { $0.weight.rawValue.contains("h") }) == ["a", "b"])
        #expect(try names(#Predicate { ($0.room?.rawValue ?? "none") == "none" }) == ["c"])
    }

    @Test func otherPropertiesOfCasesAreRefused() throws {
        #expect(throws: SwiftDataError.unsupportedPredicate) {
            try names(#Predicate { $0.urgency.doubled >= 2 })
        }
        #expect(throws: SwiftDataError.unsupportedPredicate) {
            try names(#Predicate { $0.room?.label == "x" })
        }
        #expect(throws: SwiftDataError.unsupportedKeyPath) { try names(by: SortDescriptor(\.room?.label)) }
    }

    @Test func modelsAreSorted() throws {
        #expect(try names(by: SortDescriptor(\.urgency.rawValue)) == ["a", "c", "b"])
        #expect(try names(by: SortDescriptor(\.urgency.rawValue, order: .reverse)) == ["b", "c", "a"])
        #expect(try names(by: SortDescriptor(\.room?.rawValue)) == ["c", "b", "a"])
        #expect(try names(by: SortDescriptor(\.weight.rawValue)) == ["b", "a", "c"])
    }
}

enum Urgency: Int, Codable {
    case low = 1
    case medium = 2
    case high = 7

    var doubled: Int { rawValue * 2 }
}

enum Room: String, Codable {
    case kitchen, yard

    var label: String { "Room \(rawValue)" }
}

struct Weight: RawRepresentable, Codable, Equatable {
    var rawValue: String
}

@Model
final class Chore {
    var name: String
    var urgency: Urgency
    var room: Room?
    var weight: Weight

    init(_ name: String, _ urgency: Urgency, _ room: Room?, _ weight: Weight) {
        self.name = name
        self.urgency = urgency
        self.room = room
        self.weight = weight
    }
}
