import Foundation
import SwiftData
import Testing

/// Unsigned integers above `Int64.max`, which stores have as negative ones.
@Suite struct UnsignedQueryTests {
    private static let values: [UInt64] = [0, 5, 1 << 62, 1 << 63, (1 << 63) + 7, .max]

    private func context(isSaved: Bool = true) throws -> ModelContext {
        let container = try ModelContainer(
            for: Tally.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let context = ModelContext(container)
        for value in Self.values.reversed() { context.insert(Tally(value)) }
        if isSaved { try context.save() }
        return context
    }

    private func found(_ predicate: Predicate<Tally>, isSaved: Bool) throws -> [UInt64] {
        try context(isSaved: isSaved).fetch(
            FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.count)])
        ).map(\.count)
    }

    @Test(arguments: values, [true, false])
    func comparedWithAConstant(limit: UInt64, isSaved: Bool) throws {
        let all = Self.values
        #expect(try found(#Predicate { $0.count < limit }, isSaved: isSaved) == all.filter { $0 < limit })
        #expect(try found(#Predicate { $0.count <= limit }, isSaved: isSaved) == all.filter { $0 <= limit })
        #expect(try found(#Predicate { $0.count > limit }, isSaved: isSaved) == all.filter { $0 > limit })
        #expect(try found(#Predicate { $0.count >= limit }, isSaved: isSaved) == all.filter { $0 >= limit })
        #expect(try found(#Predicate { limit < $0.count }, isSaved: isSaved) == all.filter { limit < $0 })
        #expect(try found(#Predicate { $0.count == limit }, isSaved: isSaved) == [limit])
        #expect(try found(#Predicate { $0.count != limit }, isSaved: isSaved) == all.filter { $0 != limit })
        #expect(try found(#Predicate { !($0.count < limit) }, isSaved: isSaved) == all.filter { $0 >= limit })
    }

    @Test func inRangesAndCollections() throws {
        let range = UInt64(5)...(1 << 63)
        #expect(try found(#Predicate { range.contains($0.count) }, isSaved: true) == [5, 1 << 62, 1 << 63])
        let some: [UInt64] = [0, .max]
        #expect(try found(#Predicate { some.contains($0.count) }, isSaved: true) == [0, .max])
        let limit = UInt.max
        #expect(try found(#Predicate { $0.other == limit }, isSaved: true) == [.max])
    }

    @Test func comparedWithAnotherProperty() throws {
        // The other one is the sum with 5, which wraps around.
        #expect(
            try found(#Predicate { $0.sum > $0.count }, isSaved: true) == Self.values.filter { $0 &+ 5 > $0 })
        #expect(try found(#Predicate { $0.sum <= $0.count }, isSaved: true) == [.max])
    }

    @Test func sorted() throws {
        let down = FetchDescriptor<Tally>(sortBy: [SortDescriptor(\.other, order: .reverse)])
        #expect(try context().fetch(down).map(\.count) == Self.values.reversed())
        #expect(try context(isSaved: false).fetch(down).map(\.count) == Self.values.reversed())
    }
}

@Model
final class Tally {
    var count: UInt64
    var other: UInt
    var sum: UInt64

    init(_ count: UInt64) {
        self.count = count
        other = UInt(count)
        sum = count &+ 5
    }
}
