// An event as the undo manager knows it: the records of its objects, and of what merges made its deletions reach since.

import Foundation

/// What takes an event back.
final class UndoEvent {
    /// The records of the event, and behind them those of later effects: each of them is to be taken back before those ahead of it.
    private(set) var batches: [[UndoRecord]]
    /// The number of times that the context had taken newer rows when the event happened.
    let rowGeneration: Int

    init(_ records: [UndoRecord], rowGeneration: Int) {
        batches = [records]
        self.rowGeneration = rowGeneration
    }

    func append(_ records: [UndoRecord]) { batches.append(records) }

    /// The objects that the event deleted, or its later effects did.
    var deletedObjects: [NSManagedObject] {
        batches.joined().filter { $0.kind == .vanished }.map(\.object)
    }
}

/// The events that can be taken back or done again: their undo manager holds them.
struct UndoEvents {
    private struct Reference {
        weak var event: UndoEvent?
    }

    private var references: [Reference] = []
    private var limit = 64

    mutating func append(_ event: UndoEvent) {
        if references.count >= limit {
            references.removeAll { $0.event == nil }
            limit = max(64, references.count * 2)
        }
        references.append(Reference(event: event))
    }

    /// Objects to be deleted, by the events that deleted them; at the end those that no event did.
    func sorted(_ objects: [NSManagedObject]) -> [(UndoEvent?, [NSManagedObject])] {
        var byEvent: [(UndoEvent?, [NSManagedObject])] = []
        var left = Set(objects.map(ObjectIdentifier.init))
        for event in references.reversed().compactMap(\.event) where !left.isEmpty {
            let deleted = event.deletedObjects.filter { left.remove(ObjectIdentifier($0)) != nil }
            if !deleted.isEmpty { byEvent.append((event, deleted)) }
        }
        return byEvent + [(nil, objects.filter { left.contains(ObjectIdentifier($0)) })]
    }
}
