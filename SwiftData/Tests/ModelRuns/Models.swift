// The models of random runs: every kind of relationship, delete rule and value.

import Foundation
import SwiftData

enum Mood: String, Codable, CaseIterable, Hashable {
    case calm, glad, cross
}

enum Level: Int, Codable, CaseIterable, Hashable {
    case low = 1
    case middle = 4
    case high = 7
}

/// Has no raw value: stored encoded.
enum Figure: Codable, Hashable {
    case none
    case circle(radius: Double)
    case text(String)
}

struct Address: Codable, Hashable {
    var city: String
    var zip: Int?
}

/// A structure in which there is another.
struct Office: Codable, Hashable {
    var address: Address
    var floor: Int
}

/// A model that a number tells apart, which never changes.
protocol Knot: PersistentModel {
    var number: Int { get set }
}

@Model
class Person: Knot {
    var number: Int
    var name: String
    var mood: Mood = Mood.calm
    var level: Level?
    var home: Address = Address(city: "", zip: nil)
    var second: Address?
    var office: Office?
    var marks: [Int] = []
    var figure: Figure = Figure.none
    var born: Date?
    var score: Double = 0
    var fee: Decimal = 0
    @Attribute(.externalStorage) var photo: Data?
    @Attribute(.preserveValueOnDeletion) var badge: String = ""
    @Transient var visits = 0

    var mentor: Person?
    @Relationship(inverse: \Person.mentor) var pupils: [Person] = []
    @Relationship(inverse: \Person.friendOf) var friends: [Person] = []
    var friendOf: [Person] = []
    var club: Club?
    @Relationship(deleteRule: .cascade, inverse: \Pet.owner) var pets: [Pet] = []
    @Relationship(inverse: \Tag.people) var tags: Set<Tag> = []
    @Relationship(deleteRule: .cascade, inverse: \Passport.holder) var passport: Passport?
    var assists: Teacher?

    init(number: Int, name: String, mentor: Person? = nil, tags: Set<Tag> = []) {
        self.number = number
        self.name = name
        self.mentor = mentor
        self.tags = tags
    }
}

@Model
final class Teacher: Person {
    var subject: String
    var hours: Int16 = 12
    @Relationship(inverse: \Person.assists) var assistant: Person?

    init(number: Int, name: String, subject: String, assistant: Person? = nil) {
        self.subject = subject
        self.assistant = assistant
        super.init(number: number, name: name)
    }
}

@Model
final class Pet: Knot {
    var number: Int
    var name: String
    var weight: Float = 1
    var owner: Person?

    init(number: Int, name: String, owner: Person? = nil) {
        self.number = number
        self.name = name
        self.owner = owner
    }
}

@Model
final class Club: Knot {
    var number: Int
    @Attribute(.unique) var title: String
    var seats: UInt16 = 8
    @Relationship(deleteRule: .deny, inverse: \Person.club) var members: [Person]?

    init(number: Int, title: String, members: [Person] = []) {
        self.number = number
        self.title = title
        self.members = members
    }
}

@Model
final class Tag: Knot {
    #Unique<Tag>([\.label, \.colour])
    var number: Int
    var label: String
    var colour: Int
    var note: String?
    var people: [Person] = []

    init(number: Int, label: String, colour: Int) {
        self.number = number
        self.label = label
        self.colour = colour
    }
}

@Model
final class Passport: Knot {
    var number: Int
    var code: UUID
    var isValid: Bool = true
    var holder: Person?

    init(number: Int, code: UUID, holder: Person? = nil) {
        self.number = number
        self.code = code
        self.holder = holder
    }
}
