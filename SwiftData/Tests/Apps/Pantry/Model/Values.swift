import Foundation

enum Role: String, Codable, CaseIterable {
    case owner, adult, child, guest
}

enum Diet: String, Codable, CaseIterable {
    case vegetarian, vegan, glutenFree, lactoseFree
}

enum Difficulty: Int, Codable, Comparable {
    case simple = 1
    case moderate = 2
    case demanding = 3

    static func < (lhs: Difficulty, rhs: Difficulty) -> Bool {
        lhs.rawValue < rhs.rawValue
    }
}

enum MealTime: String, Codable {
    case breakfast, lunch, dinner, snack
}

/// An enumeration with values of its own.
enum Origin: Codable, Equatable {
    case own
    case web(URL)
    case book(title: String, page: Int)
}

enum LocationKind: Int, Codable {
    case shelf, refrigerator, freezer, cellar
}

struct Quantity: Codable, Equatable {
    enum Unit: String, Codable {
        case piece, gram, millilitre, tablespoon
    }

    var amount: Double
    var unit: Unit
}

struct Nutrition: Codable, Hashable {
    var energy: Double
    var protein: Double?
    var allergens: [String]
}

struct Coordinate: Codable, Hashable {
    var latitude: Double
    var longitude: Double
}

struct OpeningHours: Codable, Hashable {
    var weekday: Int
    var opens: Int
    var closes: Int
}

struct HouseholdSettings: Codable, Equatable {
    var currency = "EUR"
    var remindsBeforeExpiry = true
    var daysOfReminder = 3
}
