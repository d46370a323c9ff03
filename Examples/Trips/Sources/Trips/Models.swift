// The models.

import Foundation
import SwiftData

enum Purpose: String, Codable {
    case leisure, business
}

/// A journey with its stops.
@Model
final class Trip {
    #Index<Trip>([\.start])

    @Attribute(.unique) var id: UUID
    @Attribute(.preserveValueOnDeletion) var name: String
    var purpose: Purpose
    var start: Date
    var end: Date
    @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = []

    init(id: UUID = UUID(), name: String, purpose: Purpose, start: Date, end: Date) {
        self.id = id
        self.name = name
        self.purpose = purpose
        self.start = start
        self.end = end
    }
}

/// A place on the way.
@Model
final class Stop {
    var place: String
    var position: Int
    var nights: Int
    var trip: Trip?

    init(place: String, position: Int, nights: Int) {
        self.place = place
        self.position = position
        self.nights = nights
    }
}

/// A line of the journal: what one change in the store's history did to a trip. Two processes that write the same line write one.
@Model
final class JournalEntry {
    #Unique<JournalEntry>([\.transaction, \.change])

    var transaction: Int64
    var change: Int
    var date: Date
    var text: String

    init(transaction: Int64, change: Int, date: Date, text: String) {
        self.transaction = transaction
        self.change = change
        self.date = date
        self.text = text
    }
}

/// The place in the history up to which the journal is written.
@Model
final class JournalMark {
    @Attribute(.unique) var name: String
    var token: Data

    init(name: String, token: Data) {
        self.name = name
        self.token = token
    }
}
