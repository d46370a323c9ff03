// What another part of the app changed, by author and token.

import Foundation
import SwiftData
import Testing

@Model final class Trip {
    @Attribute(.unique, .preserveValueOnDeletion) var code: String
    @Attribute(.preserveValueOnDeletion) var endDate: Date?
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \Stay.trip) var stays: [Stay] = []
    init(code: String, name: String) {
        self.code = code
        self.name = name
    }
}
@Model final class Stay {
    var place: String
    var trip: Trip?
    init(place: String) { self.place = place }
}

@Suite(.serialized) struct TripHistoryTests {
    let container: ModelContainer
    init() throws {
        container = try ModelContainer(
            for: Trip.self, Stay.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    }

    private func transactions(after token: DefaultHistoryToken?, author: String) throws
        -> [DefaultHistoryTransaction]
    {
        var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
        if let token {
            descriptor.predicate = #Predicate { $0.token > token && $0.author == author }
        } else {
            descriptor.predicate = #Predicate { $0.author == author }
        }
        return try ModelContext(container).fetchHistory(descriptor)
    }

    private func updated(in transactions: [DefaultHistoryTransaction]) -> (
        trips: Set<String>, token: DefaultHistoryToken?, gone: [String]
    ) {
        let context = ModelContext(container)
        var result: Set<String> = []
        var gone: [String] = []
        for transaction in transactions {
            for change in transaction.changes {
                let id = change.changedPersistentIdentifier
                let descriptor = FetchDescriptor<Trip>(predicate: #Predicate { $0.persistentModelID == id })
                let found = try? context.fetch(descriptor).first
                switch change {
                case .insert(_ as DefaultHistoryInsert<Trip>), .update(_ as DefaultHistoryUpdate<Trip>):
                    if let found { result.insert(found.name) }
                case .delete(let deletion as DefaultHistoryDelete<Trip>):
                    if let code = deletion.tombstone[\.code] as? String { gone.append(code) }
                default: break
                }
            }
        }
        return (result, transactions.last?.token, gone)
    }

    @Test func authors() throws {
        let widget = ModelContext(container)
        widget.author = "widget"
        let app = ModelContext(container)
        app.author = "app"
        let trip = Trip(code: "A", name: "Alps")
        trip.stays = [Stay(place: "Hut")]
        widget.insert(trip)
        try widget.save()
        app.insert(Trip(code: "B", name: "Bern"))
        try app.save()
        let first = try transactions(after: nil, author: "widget")
        #expect(first.count == 1)
        #expect(first[0].changes.count == 2)
        let (names, token, _) = updated(in: first)
        #expect(names == ["Alps"])
        trip.name = "Andes"
        try widget.save()
        let second = try transactions(after: token, author: "widget")
        #expect(second.count == 1)
        #expect(updated(in: second).trips == ["Andes"])
        for case .update(let update as DefaultHistoryUpdate<Trip>) in second[0].changes {
            #expect(update.updatedAttributes.contains(\.name))
        }
        widget.delete(trip)
        try widget.save()
        let third = try transactions(after: second.last?.token, author: "widget")
        #expect(updated(in: third).gone == ["A"])
        let data = try JSONEncoder().encode(try #require(token))
        let again = try JSONDecoder().decode(DefaultHistoryToken.self, from: data)
        #expect(try transactions(after: again, author: "widget").count == 2)
        let old = Date.now.addingTimeInterval(60)
        var stale = HistoryDescriptor<DefaultHistoryTransaction>()
        stale.predicate = #Predicate { $0.timestamp < old }
        try app.deleteHistory(stale)
        #expect(try app.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).isEmpty)
    }
}
