// A change saved by us keeps the stores that Apple's framework made valid, and touches nothing else.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite(.enabled(if: SharedFiles.arePresent, Comment(rawValue: SharedFiles.absence)))
struct AppleStoreWritingTests {
    @Test(arguments: AppleStore.writable)
    func aSavedChangeKeepsTheStoreValid(name: String) throws {
        let store = try AppleStore(name)
        let before = try PlainDatabase(store.url).contents()
        let opened = try store.open()
        let changes = try StoreChangesMade(in: opened, store.model)
        try #require(opened.save() == [])
        let found1 = try ObjectComparison.differences(opened, store.inspector())
        expect(found1, equals: [], "what the context holds")
        let found2 = try opened.coordinator.verify(opened.store)
        expect(found2, equals: [])
        let keys = changes.keys()
        try opened.close()

        let inspector = try store.inspector()
        let found3 = try inspector.violations()
        expect(found3, equals: [])
        let differences = StoreDifferences(before, try PlainDatabase(store.url).contents())
        expect(differences.unexpected(keys, inspector), equals: [])

        let reopened = try store.open()
        let found4 = try ObjectComparison.differences(reopened, inspector)
        expect(found4, equals: [], "what another context reads")
        let found5 = try reopened.coordinator.verify(reopened.store)
        expect(found5, equals: [])
    }

    /// Those who follow the history would never learn of a change that isn't in it.
    @Test(arguments: AppleStore.all.filter(AppleStore.keepsHistory), [nil, false])
    func aStoreWithHistoryIsReadOnlyWithoutTheOption(name: String, isTracking: Bool?) throws {
        let store = try AppleStore(name)
        let before = try store.bytes()
        let opened = try OpenStore(
            store.url, store.model, options: isTracking.map { [NSPersistentHistoryTrackingKey: $0] })
        #expect(opened.store.isReadOnly)
        _ = opened.context.make(
            "Feedback", ["comment": "new", "rating": 3.5, "authorAlias": "a", "bookID": UUID()])
        let error = #expect(throws: NSError.self) { try opened.context.save() }
        expect(error?.code, equals: NSPersistentStoreSaveError)
        expect(error?.localizedFailureReason?.contains("history"), equals: true)
        try opened.close()
        try expect(store.bytes(), equals: before)
    }

    /// The triggers of a derived attribute keep it right; the file is one without history.
    @Test(arguments: AppleStore.all.filter(AppleStore.keepsHistory))
    func derivedAttributesFollow(name: String) throws {
        let store = try AppleStore(name)
        let plain = try PlainDatabase(store.url)
        for table in ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"] {
            try plain.rows("DROP TABLE \(table)")
        }
        try plain.rows("DELETE FROM Z_PRIMARYKEY WHERE Z_ENT > 16000")
        let opened = try store.open()
        let books = try opened.context.all("Book").sorted { pages($0).count > pages($1).count }
        let (first, second) = (try #require(books.first), try #require(books.last))
        try #require(first != second && pages(first).count > 1)
        pages(first).first?.setValue(second, forKey: "book")
        let page = opened.context.make("Page")
        SampleValues.fill(page, seed: 1)
        page.setValue(second, forKey: "book")
        try #require(opened.save() == [])
        try opened.close()
        let inspector = try store.inspector()
        let violations = try inspector.violations()
        expect(violations, equals: [])
        for book in try inspector.objects() where ["Book", "GraphicNovel"].contains(book.entity) {
            expect(
                book.attributes["pagesCount"]?.integer, equals: book.toMany["pages"].map { Int64($0.count) })
        }
    }

    private func pages(_ book: NSManagedObject) -> Set<NSManagedObject> {
        book.value(forKey: "pages") as? Set<NSManagedObject> ?? []
    }
}

/// An object of each entity updated, one of each inserted and linked, one of each deleted.
struct StoreChangesMade {
    private(set) var updated: Set<NSManagedObject>
    private(set) var inserted: Set<NSManagedObject>
    private(set) var deleted: Set<InspectedKey>

    init(in opened: OpenStore, _ model: NSManagedObjectModel) throws {
        let context = opened.context
        let objects = try opened.objects().sorted { $0.key.key < $1.key.key }.map(\.value)
        for (number, entity) in model.entities.enumerated() where !entity.isAbstract {
            let own = objects.filter { $0.entity === entity }
            if let first = own.first { SampleValues.fill(first, seed: 70 + number) }
            if own.count > 2, let last = own.last { context.delete(last) }
        }
        _ = SampleObjects(context, model)
        // An existing object at the other end of a new one's relationships.
        for object in Array(context.insertedObjects) { Self.join(object, objects) }
        context.processPendingChanges()
        // Nothing reads mandatory transient values from a store.
        for object in context.updatedObjects { SampleValues.fill(object, seed: 1, onlyTransient: true) }
        updated = context.updatedObjects
        inserted = context.insertedObjects
        deleted = Set(context.deletedObjects.map { InspectedKey($0.objectID) })
    }

    private static func join(_ object: NSManagedObject, _ others: [NSManagedObject]) {
        for (name, relation) in object.entity.relationshipsByName where relation.isToMany {
            guard let destination = relation.destinationEntity else { continue }
            let others = others.filter { $0.entity.isKindOf(entity: destination) && !$0.isDeleted }.prefix(3)
            if relation.isOrdered {
                let members = NSMutableOrderedSet(array: Array(others.reversed()))
                members.addObjects(from: (object.value(forKey: name) as? NSOrderedSet)?.array ?? [])
                object.setValue(members, forKey: name)
            } else {
                object.setValue(
                    (object.value(forKey: name) as? Set<NSManagedObject> ?? []).union(others), forKey: name)
            }
        }
    }

    struct Keys {
        var updated: Set<InspectedKey>
        var inserted: Set<InspectedKey>
        var deleted: Set<InspectedKey>
    }

    /// To be asked once the save has given new objects their keys.
    func keys() -> Keys {
        Keys(
            updated: Set(updated.map { InspectedKey($0.objectID) }),
            inserted: Set(inserted.map { InspectedKey($0.objectID) }), deleted: deleted)
    }
}

/// The rows of a store before and after a save.
struct StoreDifferences {
    typealias Contents = [String: [Int64: [String: PlainValue]]]
    private let before: Contents
    private let after: Contents

    init(_ before: Contents, _ after: Contents) {
        self.before = before
        self.after = after
    }

    /// Rows that differ in another way than the changes account for.
    func unexpected(_ keys: StoreChangesMade.Keys, _ inspector: StoreInspector) -> [String] {
        var found: [String] = []
        if before.keys != after.keys { found.append("tables: \(after.keys.sorted())") }
        for table in ["Z_METADATA", "Z_MODELCACHE"] where before[table] != after[table] {
            found.append("\(table) has changed")
        }
        for (number, row) in before["Z_PRIMARYKEY"] ?? [:] {
            var now = after["Z_PRIMARYKEY"]?[number] ?? [:]
            if now["Z_MAX"]?.integer ?? 0 < row["Z_MAX"]?.integer ?? 0 { found.append("Z_MAX of \(number)") }
            now["Z_MAX"] = row["Z_MAX"]
            if now != row { found.append("Z_PRIMARYKEY \(number)") }
        }
        let counts = (keys.inserted.count, keys.updated.count)
        if counts.0 == 0 || counts.1 == 0 { found.append("the test changed nothing: \(counts)") }
        for root in inspector.entities where root.parent == nil {
            found += rows("Z" + root.name.uppercased(), keys, inspector)
        }
        return found
    }

    private func rows(_ table: String, _ keys: StoreChangesMade.Keys, _ inspector: StoreInspector) -> [String]
    {
        let (old, new) = (before[table] ?? [:], after[table] ?? [:])
        return Set(old.keys).union(new.keys).compactMap { key in
            guard let number = (new[key] ?? old[key])?["Z_ENT"]?.integer else {
                return "\(table) \(key): no entity"
            }
            let place = InspectedKey(entity: inspector.entities[Int(number) - 1].name, key: key)
            switch (old[key], new[key]) {
            case (nil, let row?):
                if row["Z_OPT"] != .integer(1) {
                    return "\(place): inserted with Z_OPT \(row["Z_OPT"] ?? .null)"
                }
                return keys.inserted.contains(place) ? nil : "\(place) is there"
            case (_?, nil): return keys.deleted.contains(place) ? nil : "\(place) is gone"
            case (let old?, let new?): return change(place, old, new, isUpdated: keys.updated.contains(place))
            default: return nil
            }
        }
    }

    /// Places in an order may change by themselves; anything else makes a new version.
    private func change(
        _ place: InspectedKey, _ old: [String: PlainValue], _ new: [String: PlainValue], isUpdated: Bool
    ) -> String? {
        let (old, new) = (
            old.filter { !$0.key.hasPrefix("Z_FOK_") }, new.filter { !$0.key.hasPrefix("Z_FOK_") }
        )
        let isNext = new["Z_OPT"]?.integer == old["Z_OPT"]?.integer.map { $0 + 1 }
        if isUpdated {
            return isNext ? nil : "\(place): Z_OPT \(old["Z_OPT"] ?? .null), \(new["Z_OPT"] ?? .null)"
        }
        if old == new { return nil }
        return "\(place): \(new.filter { old[$0.key] != $0.value })"
    }
}
