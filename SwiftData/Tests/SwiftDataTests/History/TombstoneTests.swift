import Foundation
import SwiftData
import Testing

/// The values of deleted models have the types of their properties.
@Suite struct TombstoneTests {
    @Test func valuesHaveTheTypesOfProperties() throws {
        let folder = try TemporaryFolder()
        let container = try ModelContainer(
            for: Relic.self, configurations: ModelConfiguration(url: folder.file("Relics.store")))
        let context = ModelContext(container)
        let relic = Relic()
        context.insert(relic)
        try context.save()
        context.delete(relic)
        try context.save()
        let changes = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).flatMap(
            \.changes)
        guard case .delete(let delete as DefaultHistoryDelete<Relic>)? = changes.last else {
            Issue.record("no deletion in \(changes)")
            return
        }
        let tombstone = delete.tombstone
        #expect(tombstone[\.urgency] as? Urgency == .medium)
        #expect(tombstone[\.room] as? Room == .yard)
        #expect(tombstone[\.weight] as? Weight == Weight(rawValue: "light"))
        #expect(tombstone[\.tiny] as? Int8 == -8)
        #expect(tombstone[\.byte] as? UInt8 == 200)
        #expect(tombstone[\.short] as? Int16 == 16)
        #expect(tombstone[\.word] as? UInt32 == .max)
        #expect(tombstone[\.long] as? Int64 == 64)
        #expect(tombstone[\.count] as? UInt64 == .max)
        #expect(tombstone[\.isOld] as? Bool == true)
        #expect(tombstone[\.factor] as? Float == 0.5)
        #expect(tombstone[\.price] as? Decimal == 2)
        #expect(tombstone[\.tags] as? [String] == ["a", "b"])
        #expect(
            tombstone[\.place] as? RelicPlace == RelicPlace(hall: "B", shelf: nil, spot: .init(x: 1, y: 2.5)))
        #expect(tombstone[\.noTags] == nil)
        #expect(tombstone[\.noRoom] == nil)
    }
}

@Model
final class Relic {
    @Attribute(.preserveValueOnDeletion) var urgency = Urgency.medium
    @Attribute(.preserveValueOnDeletion) var room: Room? = Room.yard
    @Attribute(.preserveValueOnDeletion) var weight = Weight(rawValue: "light")
    @Attribute(.preserveValueOnDeletion) var tiny: Int8 = -8
    @Attribute(.preserveValueOnDeletion) var byte: UInt8 = 200
    @Attribute(.preserveValueOnDeletion) var short: Int16 = 16
    @Attribute(.preserveValueOnDeletion) var word: UInt32 = .max
    @Attribute(.preserveValueOnDeletion) var long: Int64 = 64
    @Attribute(.preserveValueOnDeletion) var count: UInt64 = .max
    @Attribute(.preserveValueOnDeletion) var isOld = true
    @Attribute(.preserveValueOnDeletion) var factor: Float = 0.5
    @Attribute(.preserveValueOnDeletion) var price: Decimal = 2
    @Attribute(.preserveValueOnDeletion) var tags = ["a", "b"]
    @Attribute(.preserveValueOnDeletion) var place = RelicPlace(
        hall: "B", shelf: nil, spot: .init(x: 1, y: 2.5))
    @Attribute(.preserveValueOnDeletion) var noTags: [String]?
    @Attribute(.preserveValueOnDeletion) var noRoom: Room?

    init() {}
}

/// A structure that is stored field by field.
struct RelicPlace: Codable, Equatable {
    struct Spot: Codable, Equatable {
        var x: Int
        var y: Double
    }

    var hall: String
    var shelf: Int?
    var spot: Spot
}
