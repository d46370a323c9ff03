// Structures whose fields are elements of composite attributes, and those that are stored as one value.

import CoreData
import Foundation
import Testing

@testable import SwiftData

private enum Band: String, Codable {
    case low, middle, high
}

private enum Level: Int, Codable {
    case first = 1
    case second = 2
}

private struct Spot: Codable, Equatable {
    var x: Int
    var y: UInt64
}

private struct Reading: Codable, Equatable {
    enum CodingKeys: String, CodingKey {
        case place = "spot"
        case band, level, note, taken, amount, isGood, number, page, parts
    }

    var place: Spot
    var band: Band
    var level: Level?
    var note: String?
    var taken: Date
    var amount: Decimal
    var isGood: Bool
    var number: UUID
    var page: URL
    var parts: [String]

    init(_ x: Int, note: String? = nil) {
        place = Spot(x: x, y: .max)
        band = .middle
        self.note = note
        taken = Date(timeIntervalSinceReferenceDate: Double(x))
        amount = Decimal(x) / 100
        isGood = x % 2 == 0
        number = UUID()
        page = URL(fileURLWithPath: "/\(x)")
        parts = ["a", "b"]
    }
}

/// Encodes itself as one text.
private struct Code: Codable, Equatable {
    var text: String

    init(text: String) { self.text = text }

    init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

/// Encodes less than it has.
private struct Partial: Codable, Equatable {
    enum CodingKeys: String, CodingKey { case kept }

    var kept: Int
    var lost = 7
}

private enum Answer: Codable, Equatable {
    case none
    case text(String)
}

@Model
private final class Sample {
    var title: String
    var reading: Reading
    var other: Reading?
    var code: Code = Code(text: "")
    var partial: Partial = Partial(kept: 1)
    var answer: Answer = Answer.none
    @Attribute(.codable) var whole: Spot = Spot(x: 0, y: 0)
    var fallback: Spot = Spot(x: 3, y: 4)

    init(_ title: String, _ reading: Reading) {
        self.title = title
        self.reading = reading
    }
}

@Suite struct CompositeTests {
    private let folder: TemporaryFolder
    private let container: ModelContainer

    init() throws {
        folder = try TemporaryFolder()
        container = try ModelContainer(
            for: Sample.self, configurations: ModelConfiguration(url: folder.file("Samples.store")))
    }

    private func fill(_ context: ModelContext) throws {
        for number in 0..<4 {
            let sample = Sample("\(number)", Reading(number, note: number == 2 ? "two" : nil))
            if number == 3 { sample.other = Reading(30, note: "other") }
            context.insert(sample)
        }
        try context.save()
    }

    private func titles(_ predicate: Predicate<Sample>) throws -> [String] {
        let descriptor = FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.title)])
        return try ModelContext(container).fetch(descriptor).map(\.title)
    }

    @Test func theSchemaHasTheElements() throws {
        let entity = try #require(container.schema.entitiesByName["Sample"])
        let reading = try #require(entity.attributesByName["reading"] as? Schema.CompositeAttribute)
        #expect(
            reading.properties.map(\.name) == [
                "spot", "band", "level", "note", "taken", "amount", "isGood", "number", "page", "parts",
            ])
        #expect((reading.properties[0] as? Schema.CompositeAttribute)?.properties.map(\.name) == ["x", "y"])
        #expect(reading.properties.filter(\.isOptional).map(\.name) == ["level", "note"])
        for name in ["code", "partial", "answer", "whole"] {
            #expect(entity.attributesByName[name]?.isCodable == true, "\(name)")
        }
    }

    @Test func valuesComeBack() throws {
        let (one, two) = (Reading(-5, note: ""), Reading(1 << 40))
        let context = ModelContext(container)
        let sample = Sample("a", one)
        sample.code.text = "code"
        sample.partial = Partial(kept: 9)
        sample.answer = .text("yes")
        sample.whole = Spot(x: 1, y: 2)
        context.insert(sample)
        try context.save()
        let other = ModelContext(container)
        let found = try #require(try other.fetch(FetchDescriptor<Sample>()).first)
        #expect(found.reading == one)
        #expect(found.other == nil)
        #expect(found.code == Code(text: "code") && found.partial == Partial(kept: 9))
        #expect(found.answer == .text("yes") && found.whole == Spot(x: 1, y: 2))
        #expect(found.fallback == Spot(x: 3, y: 4))
        found.other = two
        found.other?.band = .high
        found.other?.level = .second
        found.reading.place.x = 6
        try other.save()
        let again = try #require(try ModelContext(container).fetch(FetchDescriptor<Sample>()).first)
        #expect(again.other?.band == .high && again.other?.level == .second)
        #expect(again.other?.place == two.place && again.other?.number == two.number)
        #expect(again.reading.place.x == 6 && again.reading.note == "")
        again.other = nil
        #expect(again.other == nil)
    }

    @Test func managedObjectsSeeDictionariesAndTheTableHasColumns() throws {
        try fill(ModelContext(container))
        let coordinator = container.persistentStoreCoordinator
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Sample")
            request.predicate = NSPredicate(format: "reading.note == %@", "two")
            let found = try #require(try context.fetch(request).first)
            let reading = try #require(found.value(forKey: "reading") as? [String: Any])
            #expect(reading["band"] as? String == "middle")
            #expect((reading["spot"] as? [String: Any])?["x"] as? Int == 2)
            #expect(reading["amount"] as? NSDecimalNumber == NSDecimalNumber(string: "0.02"))
        }
    }

    @Test func predicatesReadElements() throws {
        try fill(ModelContext(container))
        let band = Band.middle
        #expect(try titles(#Predicate { $0.reading.note == "two" }) == ["2"])
        #expect(try titles(#Predicate { $0.reading.place.x > 1 && $0.reading.isGood }) == ["2"])
        #expect(try titles(#Predicate { $0.reading.note == nil }) == ["0", "1", "3"])
        #expect(try titles(#Predicate { $0.other?.note == "other" }) == ["3"])
        #expect(try titles(#Predicate { $0.other == nil }) == ["0", "1", "2"])
        #expect(try titles(#Predicate { $0.reading.band == band }) == ["0", "1", "2", "3"])
    }

    @Test func elementsSort() throws {
        try fill(ModelContext(container))
        let descriptor = FetchDescriptor<Sample>(sortBy: [SortDescriptor(\.reading.place.x, order: .reverse)])
        #expect(try ModelContext(container).fetch(descriptor).map(\.title) == ["3", "2", "1", "0"])
        #expect(Sample.key(for: \Sample.reading.place.x) == "reading.spot.x")
        #expect(Sample.key(for: \Sample.reading.note) == "reading.note")
    }

    @Test func aChangedElementIsAChangedProperty() throws {
        let context = ModelContext(container)
        try fill(context)
        let sample = try #require(try context.fetch(FetchDescriptor<Sample>()).first)
        #expect(!context.hasChanges)
        sample.reading.isGood.toggle()
        #expect(context.hasChanges && context.changedModelsArray.count == 1)
        context.rollback()
        #expect(!context.hasChanges)
    }

    /// What isn't read stays as it is.
    @Test func anElementThatDoesNotDecode() throws {
        try fill(ModelContext(container))
        let managed = ModelContext(container).managed
        let request = NSFetchRequest<NSManagedObject>(entityName: "Sample")
        request.predicate = NSPredicate(format: "title == %@", "3")
        let object = try #require(try managed.fetch(request).first)
        object.setValue("purple", forKeyPath: "reading.band")
        object.setValue("purple", forKeyPath: "other.band")
        try managed.save()
        let context = ModelContext(container)
        let sample = try #require(
            try context.fetch(FetchDescriptor<Sample>(predicate: #Predicate { $0.title == "3" })).first)
        #expect(sample.other == nil)
        #expect(sample.reading.place == Spot(x: 0, y: 0))
        sample.title = "three"
        try context.save()
        let again = ModelContext(container).managed
        request.predicate = NSPredicate(format: "title == %@", "three")
        let stored = try #require(try again.fetch(request).first)
        #expect(stored.value(forKeyPath: "reading.band") as? String == "purple")
        #expect(stored.value(forKeyPath: "reading.spot.x") as? Int == 3)
    }

    @Test func theSchemaFileHasTheElements() throws {
        let file = folder.file("schema.json")
        try container.schema.save(to: file)
        let read = try Schema.load(from: file)
        let reading = read.entitiesByName["Sample"]?.attributesByName["reading"] as? Schema.CompositeAttribute
        #expect(reading?.properties.count == 10)
        #expect(
            (reading?.properties.first as? Schema.CompositeAttribute)?.properties.map(\.name) == ["x", "y"])
    }
}
