// The actor that answers requests.

import Foundation
import SwiftData

/// Keeps trips. Its saves have the author `planner`.
@ModelActor
actor Planner {
    static let author = "planner"

    /// Trips in the order of their dates, or those whose names have a text.
    func trips(named text: String? = nil) throws -> [TripSummary] {
        var descriptor = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.start), SortDescriptor(\.name)])
        if let text { descriptor.predicate = #Predicate { $0.name.localizedStandardContains(text) } }
        descriptor.relationshipKeyPathsForPrefetching = [\.stops]
        return try modelContext.fetch(descriptor).map(TripSummary.init)
    }

    func trip(_ id: UUID) throws -> TripSummary? {
        try find(id).map(TripSummary.init)
    }

    func add(_ new: NewTrip) throws -> TripSummary {
        let trip = Trip(name: new.name, purpose: new.purpose, start: new.start, end: new.end)
        return try saving {
            modelContext.insert(trip)
            return TripSummary(trip)
        }
    }

    func add(_ new: NewStop, to id: UUID) throws -> TripSummary? {
        guard let trip = try find(id) else { return nil }
        return try saving {
            trip.stops.append(Stop(place: new.place, position: trip.stops.count, nights: new.nights))
            return TripSummary(trip)
        }
    }

    func delete(_ id: UUID) throws -> Bool {
        guard let trip = try find(id) else { return false }
        return try saving {
            modelContext.delete(trip)
            return true
        }
    }

    private func find(_ id: UUID) throws -> Trip? {
        try modelContext.fetch(FetchDescriptor<Trip>(predicate: #Predicate { $0.id == id })).first
    }

    /// Saves what a block changes, or takes it back.
    private func saving<Result>(_ change: () throws -> Result) throws -> Result {
        modelContext.author = Self.author
        do {
            let result = try change()
            try modelContext.save()
            return result
        } catch {
            modelContext.rollback()
            throw error
        }
    }
}
