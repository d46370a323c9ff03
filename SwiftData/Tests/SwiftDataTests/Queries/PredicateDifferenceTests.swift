// The same predicates in memory and as SQL: both find the same models.

import Foundation
import SwiftData
import Testing

enum Shade: String, Codable, CaseIterable {
    case dark, light, mixed
}

@Model
final class Item {
    var number: Int
    var small: Int16
    var ratio: Double
    var weight: Float?
    var price: Decimal
    var name: String
    var alias: String?
    var made: Date
    var sold: Date?
    var code: UUID
    var page: URL?
    var isNew: Bool
    var isRare: Bool?
    var bytes: Data
    var shade: Shade
    var box: Box?
    var parts: [Part] = []

    init(_ number: Int) {
        self.number = number
        small = Int16(number % 7) - 3
        ratio = Double(number) / 4 - 2
        weight = number % 3 == 0 ? nil : Float(number) / 2
        price = Decimal(number) / 10
        name = ["alpha", "Beta", "gämma", "DELTA", "épsilon", "a_b%c", "", "zeta\\"][number % 8]
        alias = number % 4 == 0 ? nil : "n\(number)"
        made = Date(timeIntervalSinceReferenceDate: Double(number) * 1000.5)
        sold = number % 5 == 0 ? nil : Date(timeIntervalSinceReferenceDate: Double(number) * 2000)
        code = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(number)))
        page = number % 2 == 0 ? nil : URL(string: "https://example.org/\(number)")
        isNew = number % 2 == 0
        isRare = number % 3 == 0 ? nil : number % 3 == 1
        bytes = Data([UInt8(number)])
        shade = Shade.allCases[number % 3]
    }
}

@Model
final class Box {
    var label: String
    var depth: Int
    @Relationship(inverse: \Item.box) var items: [Item] = []
    var owner: Owner?

    init(label: String, depth: Int) {
        self.label = label
        self.depth = depth
    }
}

@Model
final class Owner {
    var name: String
    @Relationship(inverse: \Box.owner) var boxes: [Box] = []

    init(name: String) { self.name = name }
}

@Model
final class Part {
    var title: String
    var size: Int
    @Relationship(inverse: \Item.parts) var items: [Item] = []

    init(title: String, size: Int) {
        self.title = title
        self.size = size
    }
}

@Suite struct PredicateDifferenceTests {
    private let folder: TemporaryFolder
    private let container: ModelContainer

    init() throws {
        folder = try TemporaryFolder()
        let schema = Schema([Item.self, Box.self, Owner.self, Part.self])
        container = try ModelContainer(
            for: schema,
            configurations: ModelConfiguration(
                schema: schema, url: folder.file("Items.store")))
        let context = ModelContext(container)
        let owners = ["Ann", "bob"].map(Owner.init)
        let boxes = (0..<5).map { Box(label: "box \($0)", depth: $0) }
        for (number, box) in boxes.enumerated() where number > 0 { box.owner = owners[number % 2] }
        let parts = (0..<6).map { Part(title: "p\($0)", size: $0 * 3) }
        for model in boxes { context.insert(model) }
        for part in parts { context.insert(part) }
        for number in 0..<40 {
            let item = Item(number)
            context.insert(item)
            item.box = number % 6 == 5 ? nil : boxes[number % 6]
            item.parts = parts.enumerated().filter { (number >> $0.offset) & 1 == 1 }.map(\.element)
        }
        try context.save()
    }

    /// Compares what a predicate finds in the store and in memory, and that it finds some and not all.
    private func compare(_ predicate: Predicate<Item>, _ line: Int = #line, finds: ClosedRange<Int> = 1...39)
        throws
    {
        let stored = Set(
            try ModelContext(container).fetch(FetchDescriptor(predicate: predicate)).map(\.number))
        let all = try ModelContext(container).fetch(FetchDescriptor<Item>())
        let inMemory = Set(try all.filter { try predicate.evaluate($0) }.map(\.number))
        let place = SourceLocation(fileID: #fileID, filePath: #filePath, line: line, column: 1)
        #expect(stored == inMemory, sourceLocation: place)
        #expect(finds.contains(stored.count), "found \(stored.count)", sourceLocation: place)
        let counted = try ModelContext(container).fetchCount(FetchDescriptor(predicate: predicate))
        #expect(counted == stored.count, sourceLocation: place)
    }

    @Test func numbers() throws {
        let limit = 17
        try compare(#Predicate { $0.number < limit })
        try compare(#Predicate { $0.number >= 3 && $0.number <= limit })
        try compare(#Predicate { $0.small == -2 })
        try compare(#Predicate { $0.number + 5 > 20 })
        try compare(#Predicate { $0.number * 2 - 1 < 30 })
        try compare(#Predicate { $0.number % 4 == 1 })
        try compare(#Predicate { $0.ratio > 1.75 && $0.ratio != 3 })
        try compare(#Predicate { $0.price > 1.5 })
        try compare(#Predicate { (3...9).contains($0.number) })
        try compare(#Predicate { (3..<9).contains($0.number) })
        let wanted = [1, 5, 200]
        try compare(#Predicate { wanted.contains($0.number) })
        try compare(#Predicate { !wanted.contains($0.number) })
    }

    @Test func optionals() throws {
        try compare(#Predicate { $0.alias == nil })
        try compare(#Predicate { $0.alias != nil })
        try compare(#Predicate { $0.weight == nil || $0.weight! > 8 })
        try compare(#Predicate { ($0.weight ?? 0) > 8 })
        try compare(#Predicate { $0.isRare == true })
        try compare(#Predicate { $0.isRare == nil })
        try compare(#Predicate { item in if let weight = item.weight { weight < 4 } else { false } })
        try compare(#Predicate { $0.alias?.contains("1") == true })
        try compare(#Predicate { ($0.alias ?? "none") != "none" })
        let missing: String? = nil
        try compare(#Predicate { $0.alias == missing })
    }

    @Test func strings() throws {
        try compare(#Predicate { $0.name == "Beta" })
        try compare(#Predicate { $0.name.contains("et") })
        try compare(#Predicate { $0.name.contains("%") })
        try compare(#Predicate { $0.name.contains("_") })
        try compare(#Predicate { $0.name.starts(with: "a") })
        try compare(#Predicate { $0.name.localizedStandardContains("E") })
        try compare(#Predicate { $0.name.localizedStandardContains("epsilon") })
        try compare(#Predicate { $0.name.isEmpty })
        try compare(#Predicate { !$0.name.isEmpty && $0.name < "c" })
        let names = ["alpha", "DELTA"]
        try compare(#Predicate { names.contains($0.name) })
    }

    @Test func datesAndOthers() throws {
        let date = Date(timeIntervalSinceReferenceDate: 12_006)
        try compare(#Predicate { $0.made == date })
        try compare(#Predicate { $0.made > date })
        try compare(#Predicate { $0.sold == nil })
        let never = Date.distantPast
        try compare(#Predicate { ($0.sold ?? never) >= date })
        let code = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7))
        try compare(#Predicate { $0.code == code })
        let page = URL(string: "https://example.org/7")
        try compare(#Predicate { $0.page == page })
        let bytes = Data([9])
        try compare(#Predicate { $0.bytes == bytes })
        try compare(#Predicate { $0.isNew })
        try compare(#Predicate { !$0.isNew && $0.number > 9 })
    }

    @Test func relationships() throws {
        try compare(#Predicate { $0.box == nil })
        try compare(#Predicate { $0.box?.label == "box 2" })
        try compare(#Predicate { ($0.box?.depth ?? 99) > 2 })
        try compare(#Predicate { $0.box?.owner?.name == "Ann" })
        try compare(#Predicate { $0.parts.isEmpty })
        try compare(#Predicate { $0.parts.count > 2 })
        try compare(#Predicate { $0.parts.contains { $0.size > 9 } })
        try compare(#Predicate { !$0.parts.contains { $0.title == "p1" } })
        try compare(#Predicate { $0.parts.allSatisfy { $0.size < 9 } })
        try compare(#Predicate { $0.parts.filter { $0.size >= 6 }.count == 1 })
        let id = try #require(
            try ModelContext(container).fetch(FetchDescriptor<Box>(predicate: #Predicate { $0.depth == 3 }))
                .first
        )
        .persistentModelID
        try compare(#Predicate { $0.box?.persistentModelID == id })
        let items = try ModelContext(container).fetch(FetchDescriptor<Item>()).prefix(3).map(
            \.persistentModelID)
        try compare(#Predicate { items.contains($0.persistentModelID) }, finds: 3...3)
    }

    @Test func together() throws {
        try compare(#Predicate { ($0.number < 10 || $0.isNew) && !($0.name == "" || $0.alias == nil) })
        try compare(#Predicate { $0.isNew == ($0.number > 20) })
        try compare(#Predicate { ($0.number > 20 ? $0.small : $0.small + 1) > 0 })
    }

    @Test func unsavedChangesCount() throws {
        let context = ModelContext(container)
        context.insert(Item(41))
        let first = try #require(
            try context.fetch(FetchDescriptor<Item>(predicate: #Predicate { $0.number == 0 })).first)
        first.number = 42
        let second = try #require(
            try context.fetch(FetchDescriptor<Item>(predicate: #Predicate { $0.number == 39 })).first)
        context.delete(second)
        var descriptor = FetchDescriptor<Item>(
            predicate: #Predicate { $0.number > 37 }, sortBy: [SortDescriptor(\.number)])
        #expect(try context.fetch(descriptor).map(\.number) == [38, 41, 42])
        descriptor.includePendingChanges = false
        #expect(try context.fetchCount(descriptor) == 2)
    }
}
