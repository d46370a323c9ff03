// Reads all of a store through the framework, as JSON that harness/states.py compares with what must be there.

import CoreData
import Foundation

struct Judge {
    private let place: Place
    private let writesOn: Bool

    init(_ request: Request) {
        place = Place(request)
        writesOn = request.number("writes") != 0
    }

    /// The state, and what the framework's own check of the store finds.
    func verdict() throws -> [String: Any] {
        let stack = try Stack(place)
        defer { stack.close() }
        var verdict: [String: Any] = ["state": try Self.state(of: stack)]
        if place.type == NSSQLiteStoreType {
            let problems = try stack.coordinator.verify(stack.store)
            verdict["harmful"] = problems.filter(\.isHarmful).map { "\($0.check): \($0.explanation)" }
            verdict["harmless"] = problems.filter { !$0.isHarmful }.map { "\($0.check): \($0.explanation)" }
        }
        if writesOn {
            try stack.context.performAndWait {
                _ = stack.insert("Item", ["batch": -1])
                try stack.context.save()
            }
        }
        return verdict
    }

    static func state(of stack: Stack) throws -> [String: Any] {
        try stack.context.performAndWait {
            var state: [String: Any] = [
                "counter": try stack.all("Counter", sortedBy: ["value"]).map { number($0, "value") },
                "folders": try stack.all("Folder", sortedBy: ["gen"]).map {
                    [number($0, "gen"), number($0, "noteCount")] as [Any]
                },
                "notes": try stack.all("Note", sortedBy: ["gen", "index"]).map { note($0, stack.place) },
                "tags": try stack.all("Tag", sortedBy: ["gen"]).map {
                    [number($0, "gen"), $0.value(forKey: "name") ?? NSNull()] as [Any]
                },
                "items": try stack.all("Item", sortedBy: ["batch", "number"]).map { item in
                    ["batch", "number", "value"].map { number(item, $0) }
                },
            ]
            if stack.place.type == NSSQLiteStoreType { state["history"] = try history(stack) }
            return state
        }
    }

    /// No value is null, as it is in plain SQLite's rows.
    private static func number(_ object: NSManagedObject, _ key: String) -> Any {
        (object.value(forKey: key) as? NSNumber)?.intValue ?? NSNull()
    }

    private static func note(_ note: NSManagedObject, _ place: Place) -> [Any] {
        let tags = note.value(forKey: "tags") as? Set<NSManagedObject> ?? []
        let folder = note.value(forKey: "folder") as? NSManagedObject
        let rating = place.version > 1 ? [number(note, "rating")] : []
        return [
            number(note, "gen"), number(note, "index"), number(note, "state"),
            note.value(forKey: TestModel.textKey(version: place.version)) ?? NSNull(),
            label(note.value(forKey: "blob") as? Data, place.seed), folder.map { number($0, "gen") } ?? -1,
            tags.map { $0.value(forKey: "name") as? String ?? "nil" }.sorted(),
        ] + rating
    }

    /// Returns a label with the generation of the blob.
    private static func label(_ data: Data?, _ seed: Int) -> String {
        guard let data else { return "nil" }
        let parts = String(decoding: data.prefix(64), as: UTF8.self).split(separator: "/")
        if parts.count > 1, let generation = Int(parts[1]),
            data == Generation.blob(generation, seed: seed, isLong: data.count > 100)
        {
            return "\(generation)/\(data.count)"
        }
        return "wrong/\(data.count)"
    }

    /// The authors of all transactions, each with the number of its changes.
    private static func history(_ stack: Stack) throws -> [[Any]] {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
        let result = try stack.context.execute(request) as? NSPersistentHistoryResult
        let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
        return transactions.map { [$0.author ?? "", $0.changes?.count ?? 0] }
    }
}
