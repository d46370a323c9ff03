import Foundation
import SwiftData
import Testing

/// Properties that state no type: Swift infers it of the initial value.
@Suite struct InferredTypesTests {
    @Test func initialValuesAreStoredAndRead() throws {
        let container = try ModelContainer(
            for: Inferred.self, InferredPart.self,
            configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let context = ModelContext(container)
        context.insert(Inferred())
        try context.save()
        let read = try #require(try ModelContext(container).fetch(FetchDescriptor<Inferred>()).first)
        #expect(read.when == Date(timeIntervalSinceReferenceDate: 3))
        #expect(read.total == 2.5)
        #expect(read.kind == .rare)
        #expect(read.limit == 5)
        #expect(read.kinds == [.rare])
        #expect(read.chosen == 3)
        #expect(read.sum == 7.5)
        #expect(read.called == "called")
        #expect(read.text == "ab")
        #expect(read.numbers == ["a": 1])
        #expect(read.small == 5)
        #expect(read.absent == nil)
        #expect(read.branch == 1)
        #expect(read.parts.isEmpty)
        #expect(read.isNot == false)
        #expect(read.standard == "standard")
    }

    @Test func theSchemaHasTheTypesAndDefaults() throws {
        let entity = try #require(Schema([Inferred.self, InferredPart.self]).entitiesByName["Inferred"])
        let attributes = entity.attributesByName
        #expect(attributes["total"]?.valueType == Double.self)
        #expect(attributes["total"]?.defaultValue as? Double == 2.5)
        #expect(attributes["small"]?.valueType == Int16.self)
        #expect(attributes["small"]?.defaultValue as? Int16 == 5)
        #expect(attributes["sum"]?.defaultValue as? Double == 7.5)
        #expect(attributes["absent"]?.isOptional == true)
        #expect(attributes["absent"]?.defaultValue == nil)
        #expect(entity.relationshipsByName["parts"]?.destination == "InferredPart")
    }
}

enum Rarity: String, Codable {
    case common, rare

    static var standard: Rarity { .rare }
    static let limit = 5
    static func all() -> [Rarity] { [.rare] }
}

private func makeTotal() -> Double { 2.5 }
private let standardName = "standard"
private let isOn = true

@Model
final class Inferred {
    var when = Date(timeIntervalSinceReferenceDate: 0).addingTimeInterval(3)
    var total = makeTotal()
    var kind = Rarity.standard
    var limit = Rarity.limit
    var kinds = Rarity.all()
    var chosen = isOn ? 3 : 4
    var sum = 3 + 4.5
    var called = { "called" }()
    var text = "a" + "b"
    var numbers = ["a": 1]
    var small = 5 as Int16
    var absent = isOn ? nil : 4
    var branch = if isOn { 1 } else { 2 }
    var parts = [InferredPart]()
    var isNot = !isOn
    var standard = standardName

    init() {}
}

@Model
final class InferredPart {
    var name = "part"

    init() {}
}
