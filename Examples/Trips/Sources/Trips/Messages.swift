// What clients send and are sent.

import Foundation

struct NewTrip: Codable, Sendable {
    var name: String
    var purpose: Purpose
    var start: Date
    var end: Date
}

struct NewStop: Codable, Sendable {
    var place: String
    var nights: Int
}

struct TripSummary: Codable, Sendable {
    var id: UUID
    var name: String
    var purpose: Purpose
    var start: Date
    var nights: Int
    var places: [String]

    init(_ trip: Trip) {
        id = trip.id
        name = trip.name
        purpose = trip.purpose
        start = trip.start
        let stops = trip.stops.sorted { $0.position < $1.position }
        nights = stops.reduce(0) { $0 + $1.nights }
        places = stops.map(\.place)
    }
}
