import CoreData
import Foundation
import SwiftData
import Testing

/// Numbers that aren't any, which SQLite keeps as nothing.
@Suite struct NotANumberTests {
    private func saved(_ gauge: Gauge) throws -> ModelContext {
        let container = try ModelContainer(
            for: Gauge.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let context = ModelContext(container)
        context.insert(gauge)
        try context.save()
        return ModelContext(container)
    }

    @Test func areReadAndSavedAgain() throws {
        let context = try saved(Gauge(.nan, .nan, GaugeRange(lower: .nan, upper: 2)))
        let gauge = try #require(try context.fetch(FetchDescriptor<Gauge>()).first)
        #expect(gauge.value.isNaN && gauge.small.isNaN)
        #expect(gauge.range.lower.isNaN && gauge.range.upper == 2)
        gauge.name = "new"
        try context.save()
        let other = ModelContext(context.container)
        let again = try #require(try other.fetch(FetchDescriptor<Gauge>()).first)
        #expect(again.name == "new" && again.value.isNaN && again.small.isNaN && again.range.lower.isNaN)
        again.value = 3
        try other.save()
        #expect(try ModelContext(context.container).fetch(FetchDescriptor<Gauge>()).first?.value == 3)
    }

    @Test func areTheRestOfAStructuresFields() throws {
        let context = try saved(Gauge(1, 1, GaugeRange(lower: .nan, upper: .nan)))
        let gauge = try #require(try context.fetch(FetchDescriptor<Gauge>()).first)
        #expect(gauge.range.lower.isNaN && gauge.range.upper.isNaN)
        gauge.range.upper = 5
        try context.save()
        let again = try #require(
            try ModelContext(context.container).fetch(FetchDescriptor<Gauge>()).first)
        #expect(again.range.lower.isNaN && again.range.upper == 5)
    }

    @Test func noComparisonHoldsForThem() throws {
        let context = try saved(Gauge(.nan, 1, GaugeRange(lower: 1, upper: 2)))
        func count(_ predicate: Predicate<Gauge>) throws -> Int {
            try context.fetchCount(FetchDescriptor(predicate: predicate))
        }
        #expect(try count(#Predicate { $0.value < 5 }) == 0)
        #expect(try count(#Predicate { $0.value >= 5 }) == 0)
        #expect(try count(#Predicate { $0.value == 0 }) == 0)
        #expect(try count(#Predicate { $0.value != 0 }) == 1)
    }

    @Test func otherFaultsOfSavingStay() throws {
        let context = try saved(Gauge(.nan, 1, GaugeRange(lower: 1, upper: 2)))
        let gauge = try #require(try context.fetch(FetchDescriptor<Gauge>()).first)
        gauge.name = "new"
        gauge.owner = nil
        try context.save()
        #expect(!context.hasChanges)
    }
}

struct GaugeRange: Codable, Equatable {
    var lower: Double
    var upper: Double
}

@Model
final class Gauge {
    var name = ""
    var value: Double
    var small: Float
    var range: GaugeRange
    var owner: String?

    init(_ value: Double, _ small: Float, _ range: GaugeRange) {
        self.value = value
        self.small = small
        self.range = range
    }
}
