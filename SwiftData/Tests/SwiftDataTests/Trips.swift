// Models of the tests.

import SwiftData

enum Weather: String, Codable, CaseIterable {
    case sunny, rainy, snowy
}

struct Place: Codable, Equatable {
    var latitude: Double
    var longitude: Double
    var label: String?
}

@Model
class Trip {
    var name: String
    var days: Int = 3
    var isBooked = false
    var price: Decimal = 0
    var begin: Date?
    var rating: Double?
    var code: UUID = UUID()
    var link: URL?
    var picture: Data?
    var weather: Weather = Weather.sunny
    var forecast: Weather?
    var place: Place?
    var tags: [String] = []
    var short: Int16 = 1
    var tiny: UInt8 = 2
    var factor: Float = 0.5
    @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = []
    var traveller: Traveller?
    @Transient var notes: [String] = []

    init(name: String) {
        self.name = name
    }
}

@Model
final class BusinessTrip: Trip {
    var company: String

    init(name: String, company: String) {
        self.company = company
        super.init(name: name)
    }
}

@Model
final class Stop {
    var title: String
    var position: Int
    var trip: Trip?

    init(title: String, position: Int = 0, trip: Trip? = nil) {
        self.title = title
        self.position = position
        self.trip = trip
    }
}

@Model
final class Traveller {
    @Attribute(.unique) var email: String
    var trips: [Trip] = []

    init(email: String) {
        self.email = email
    }
}

/// A container in memory.
func makeContainer() throws -> ModelContainer {
    try ModelContainer(
        for: Trip.self, BusinessTrip.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
}
