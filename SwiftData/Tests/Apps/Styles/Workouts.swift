// Models of workouts: values of every kind, relationships of every kind.

import Foundation
import SwiftData

// MARK: - Values

struct Email: RawRepresentable, Codable, Hashable, Sendable {
    let rawValue: String
    init?(rawValue: String) {
        guard rawValue.contains("@") else { return nil }
        self.rawValue = rawValue
    }
    init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let value = Email(rawValue: text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "no address"))
        }
        self = value
    }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}

struct Permissions: OptionSet, Codable, Hashable, Sendable {
    let rawValue: Int
    static let read = Permissions(rawValue: 1)
    static let write = Permissions(rawValue: 2)
    static let admin: Permissions = [.read, .write]
}

struct Money: Codable, Hashable, Comparable, Sendable {
    var amount: Decimal
    var currency: String
    static func < (a: Money, b: Money) -> Bool { a.amount < b.amount }
}

struct Identifier<Tag>: Codable, Hashable, Sendable {
    var value: UUID
    init(_ value: UUID = UUID()) { self.value = value }
    init(from decoder: any Decoder) throws { value = try decoder.singleValueContainer().decode(UUID.self) }
    func encode(to encoder: any Encoder) throws {
        var c = encoder.singleValueContainer()
        try c.encode(value)
    }
}

// MARK: - Models

@Model
final class Workout {
    enum Kind: Codable, Hashable {
        struct Details: Codable, Hashable {
            var color: String?
            var tags: [String]
            var scores: [String: Int]
        }
        case run(distance: Double)
        case lift(sets: Int, reps: [Int])
        case custom(name: String, details: Details?)
        case rest
    }

    enum Status: String, Codable, CaseIterable, Identifiable {
        case planned, active, done
        var id: Self { self }
        var title: String { rawValue.capitalized }
    }

    struct Metrics: Codable, Hashable {
        var heartRates: [Int] = []
        var pace: Double?
        var splits: [String: Double] = [:]
        var note: String?
    }

    #Unique<Workout>([\.slug], [\.day, \.title])
    #Index<Workout>([\.day], [\.day, \.title])

    var slug: String
    var title: String
    var day: Date
    var kind: Kind
    var status: Status = Status.planned
    var optionalStatus: Status?
    var metrics: Metrics
    var previous: Metrics?
    var history: [Metrics] = []
    var byName: [String: Metrics] = [:]
    var labels: Set<String> = []
    var counts: [Status: Int] = [:]
    var matrix: [[Double]] = []
    var range: ClosedRange<Int>?
    var duration: Duration?
    var measurement: Measurement<UnitLength>?
    var locale: Locale = Locale(identifier: "de_DE")
    var components: DateComponents?
    var permissions: Permissions = []
    var email: Email?
    var price: Money?
    var token: Identifier<Workout> = Identifier<Workout>()
    @Attribute(.externalStorage) var photo: Data?
    @Attribute(.ephemeral) var isSelected = false
    @Transient var cache: [String: Int] = [:]
    @Transient var closure: (() -> Void)?
    @Transient private(set) var loads = 0

    @Relationship(deleteRule: .nullify, inverse: \Athlete.workouts)
    var athlete: Athlete?
    @Relationship(
        deleteRule: .cascade, minimumModelCount: 0, maximumModelCount: 3, originalName: "remarks",
        inverse: \Comment.workout)
    var comments: [Comment]? = []
    @Relationship(inverse: \Tag.workouts) var tags: [Tag] = []

    init(
        title: String, day: Date = Date(timeIntervalSinceReferenceDate: 0), kind: Kind = .rest,
        metrics: Metrics = Metrics(), athlete: Athlete? = nil
    ) {
        self.title = title
        self.slug = title.lowercased()
        self.day = day
        self.kind = kind
        self.metrics = metrics
        self.athlete = athlete
    }

    convenience init(draft title: String) {
        self.init(title: title)
        status = .planned
        tags = []
    }

    var isDone: Bool { status == .done }
    var sortedComments: [Comment] {
        (comments ?? []).sorted { $0.position < $1.position }
    }
    var first: Comment? { comments?.min(by: { $0.position < $1.position }) }
    subscript(tag name: String) -> Tag? { tags.first { $0.name == name } }

    static func sample(_ n: Int) -> Workout { Workout(title: "Sample \(n)") }
    static var samples: [Workout] { (0..<5).map(sample) }
    static let maximum = 3
}

@Model
public class Athlete {
    @Attribute(.unique) public var id: UUID
    public var name: String
    @Attribute(originalName: "yearOfBirth") var birthYear: Int?
    var isActive: Bool = true
    var bestTimes: [Double]?
    var joined: Date = Date(timeIntervalSinceReferenceDate: 0)
    var workouts: [Workout]
    var coach: Athlete?
    @Relationship(inverse: \Athlete.coach) var pupils: [Athlete] = []
    var friends: [Athlete] = []
    @Relationship(inverse: \Athlete.friends) var friendOf: [Athlete] = []
    var profile: Profile?

    public init(name: String, id: UUID = UUID()) {
        self.id = id
        self.name = name
        self.workouts = []
    }
}

@Model
final class Profile {
    var bio: String?
    var website: URL?
    var height: Float
    @Relationship(deleteRule: .nullify, inverse: \Athlete.profile) var athlete: Athlete?
    init(bio: String? = nil, website: URL? = nil, height: Float = 1.8) {
        self.bio = bio
        self.website = website
        self.height = height
    }
}

@Model
final class Comment: Comparable {
    var text: String
    var position: Int
    var workout: Workout?
    var author: Athlete?
    init(_ text: String, position: Int = 0) {
        self.text = text
        self.position = position
    }
    static func < (a: Comment, b: Comment) -> Bool { a.position < b.position }
}

@Model
final class Tag {
    @Attribute(.unique) var name: String
    var colorHex: String = "#000000"
    var workouts: [Workout] = []
    init(name: String) { self.name = name }
}

extension Tag {
    static func named(_ name: String, in context: ModelContext) throws -> Tag {
        var descriptor = FetchDescriptor<Tag>(predicate: #Predicate { $0.name == name })
        descriptor.fetchLimit = 1
        if let known = try context.fetch(descriptor).first { return known }
        let tag = Tag(name: name)
        context.insert(tag)
        return tag
    }
}

// Hand-written Codable of a model, as for JSON imports
@Model
final class Article: Codable {
    enum CodingKeys: String, CodingKey {
        case id, title, body = "content", published = "published_at", keywords, source
    }
    struct Source: Codable, Hashable {
        let id: String?
        let name: String
    }
    @Attribute(.unique) var id: Int
    var title: String
    var body: String?
    var published: Date
    var keywords: [String]
    var source: Source
    var isRead = false

    init(id: Int, title: String, body: String?, published: Date, keywords: [String], source: Source) {
        self.id = id
        self.title = title
        self.body = body
        self.published = published
        self.keywords = keywords
        self.source = source
    }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(Int.self, forKey: .id)
        title = try container.decode(String.self, forKey: .title)
        body = try container.decodeIfPresent(String.self, forKey: .body)
        published = try container.decode(Date.self, forKey: .published)
        keywords = try container.decodeIfPresent([String].self, forKey: .keywords) ?? []
        source = try container.decode(Source.self, forKey: .source)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(title, forKey: .title)
        try container.encodeIfPresent(body, forKey: .body)
        try container.encode(published, forKey: .published)
        try container.encode(keywords, forKey: .keywords)
        try container.encode(source, forKey: .source)
    }
}

// Protocols
protocol Named: PersistentModel {
    var name: String { get set }
}
extension Athlete: Named {}
extension Tag: Named {}

extension Named {
    static func all(in context: ModelContext) throws -> [Self] {
        try context.fetch(FetchDescriptor<Self>())
    }
}

protocol Storable {
    associatedtype Stored: PersistentModel
    init(_ stored: Stored)
    func makeModel() -> Stored
}

struct TagValue: Storable, Equatable {
    var name: String
    init(name: String) { self.name = name }
    init(_ stored: Tag) { name = stored.name }
    func makeModel() -> Tag { Tag(name: name) }
}

// Inheritance
@available(macOS 26, iOS 26, *)
@Model class Animal {
    var name: String
    var age: Int = 0
    var owner: Keeper?
    init(name: String, age: Int = 0) {
        self.name = name
        self.age = age
    }
    func sound() -> String { "" }
}

@available(macOS 26, iOS 26, *)
@Model final class Cat: Animal {
    var lives: Int = 9
    init(name: String, lives: Int = 9) {
        self.lives = lives
        super.init(name: name)
    }
    override func sound() -> String { "meow" }
}

@available(macOS 26, iOS 26, *)
@Model final class Parrot: Animal {
    var words: [String] = []
    var wingspan: Double
    init(name: String, wingspan: Double) {
        self.wingspan = wingspan
        super.init(name: name, age: 3)
    }
    override func sound() -> String { words.joined(separator: " ") }
}

@Model final class Keeper {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \Animal.owner) var animals: [Animal] = []
    init(name: String) { self.name = name }
}

enum AppSchema {
    static let models: [any PersistentModel.Type] = [
        Workout.self, Athlete.self, Profile.self, Comment.self, Tag.self, Article.self, Animal.self, Cat.self,
        Parrot.self, Keeper.self,
    ]
    static var schema: Schema { Schema(models) }
}

extension ModelContainer {
    static func inMemory() throws -> ModelContainer {
        let configuration = ModelConfiguration(schema: AppSchema.schema, isStoredInMemoryOnly: true)
        return try ModelContainer(for: AppSchema.schema, configurations: [configuration])
    }

    @MainActor
    static var preview: ModelContainer = {
        do {
            let container = try ModelContainer(
                for: Workout.self, Athlete.self, Tag.self,
                configurations: ModelConfiguration(isStoredInMemoryOnly: true))
            let athlete = Athlete(name: "Ann")
            container.mainContext.insert(athlete)
            for workout in Workout.samples {
                container.mainContext.insert(workout)
                workout.athlete = athlete
            }
            try container.mainContext.save()
            return container
        } catch {
            fatalError("\(error)")
        }
    }()
}
