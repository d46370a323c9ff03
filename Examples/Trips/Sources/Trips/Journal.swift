// The actor that writes down what happened, from the history of the store.

import Foundation
import Observation
import SwiftData

/// Writes a line for each change of a trip, by whatever process: the store's history says what is new.
@ModelActor
actor Journal {
    private static let author = "journal"
    private static let name = "trips"

    /// Writes now what happened so far, and from then on whatever happens.
    func follow() async throws {
        let observer = try HistoryObserver(
            observedModels: [Trip.self], authors: [Planner.author], modelContainer: modelContainer)
        while !Task.isCancelled {
            let seen = observer.eventCounter
            do {
                try write()
                await Self.change(of: observer, since: seen)
            } catch {
                // Another process wrote at the same time: what it wrote is read, and the rest is written.
                FileHandle.standardError.write(Data("journal: \(error)\n".utf8))
                modelContext.rollback()
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    /// Waits until an observer counted something new.
    private static func change(of observer: HistoryObserver, since seen: Int) async {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let now = withObservationTracking {
            observer.eventCounter
        } onChange: {
            continuation.finish()
        }
        if now != seen { return }
        for await _ in stream {}
    }

    /// The newest lines, the latest last.
    func lines(_ count: Int = 100) throws -> [String] {
        var descriptor = FetchDescriptor<JournalEntry>(
            sortBy: [
                SortDescriptor(\.transaction, order: .reverse), SortDescriptor(\.change, order: .reverse),
            ])
        descriptor.fetchLimit = count
        return try modelContext.fetch(descriptor).map(\.text).reversed()
    }

    /// Writes what came after the last line. Lines and the place in the history are one save: nothing is written twice.
    func write() throws {
        let name = Self.name
        let mark = try modelContext.fetch(
            FetchDescriptor<JournalMark>(predicate: #Predicate { $0.name == name })
        ).first
        let author: String? = Planner.author
        var descriptor = HistoryDescriptor<DefaultHistoryTransaction>(
            predicate: #Predicate { $0.author == author })
        if let mark {
            let token = try JSONDecoder().decode(DefaultHistoryToken.self, from: mark.token)
            descriptor.predicate = #Predicate { $0.token > token && $0.author == author }
        }
        let transactions = try modelContext.fetchHistory(descriptor)
        guard let last = transactions.last else { return }
        for transaction in transactions {
            for (number, change) in transaction.changes.enumerated() {
                guard let text = line(change) else { continue }
                modelContext.insert(
                    JournalEntry(
                        transaction: transaction.transactionIdentifier, change: number,
                        date: transaction.timestamp,
                        text: text))
            }
        }
        let token = try JSONEncoder().encode(last.token)
        if let mark {
            mark.token = token
        } else {
            modelContext.insert(JournalMark(name: name, token: token))
        }
        modelContext.author = Self.author
        try modelContext.save()
    }

    private func line(_ change: HistoryChange) -> String? {
        switch change {
        case .insert(let insert as DefaultHistoryInsert<Trip>):
            return "planned \(title(insert.changedPersistentIdentifier))"
        case .update(let update as DefaultHistoryUpdate<Trip>):
            return "changed \(title(update.changedPersistentIdentifier))"
        case .delete(let delete as DefaultHistoryDelete<Trip>):
            return "cancelled \(delete.tombstone[\.name] as? String ?? "a trip")"
        case .insert(let insert as DefaultHistoryInsert<Stop>):
            guard let stop = self[insert.changedPersistentIdentifier, as: Stop.self] else { return nil }
            return "added the stop \(stop.place)"
        default:
            return nil
        }
    }

    private func title(_ id: PersistentIdentifier) -> String {
        let found = try? modelContext.fetch(
            FetchDescriptor<Trip>(predicate: #Predicate { $0.persistentModelID == id }))
        return found?.first?.name ?? "a trip that is gone"
    }
}
