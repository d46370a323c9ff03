// A host of stores without any of Apple's classes.

import CoreDataPredicate
import CoreDataSQL
import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation
import Synchronization

/// Stands above stores in tests. Its references are keys in boxes.
///
/// Unchecked because a test asks it on one thread; what a store tells from another one is kept under a lock.
final class SampleHost: StoreHost, @unchecked Sendable {
    final class Reference {
        let row: RowKey
        init(_ row: RowKey) { self.row = row }
    }

    var url: URL?
    let options: [AnyHashable: Any]?
    var isReadOnly = false
    var requester = StoreRequester()
    /// What stores have opened, and what they have heard of.
    private(set) var opened: [StorePlace?] = []
    private let heard = Mutex<[RemoteChange]>([])
    private let lock = NSRecursiveLock()
    /// What closures of predicates are asked, by row or value.
    private(set) var asked: [String] = []

    init(url: URL? = URL(fileURLWithPath: "/sample"), options: [AnyHashable: Any]? = nil) {
        self.url = url
        self.options = options
    }

    var announced: [RemoteChange] { heard.withLock { $0 } }

    func hasOpened(_ place: StorePlace?) { opened.append(place) }

    @discardableResult
    func exclusively<Result>(_ body: () throws -> Result) rethrows -> Result? {
        lock.lock()
        defer { lock.unlock() }
        return try body()
    }

    func announce(_ change: RemoteChange) { heard.withLock { $0.append(change) } }

    func reference(to entity: EntityRuntime, primaryKey: Int64) -> AnyObject {
        Reference(RowKey(entity, primaryKey: primaryKey))
    }

    func row(of reference: AnyObject) -> RowKey? { (reference as? Reference)?.row }

    func reference(to entity: EntityRuntime) -> AnyObject { entity }

    func entityName(of reference: AnyObject) -> String? { (reference as? EntityRuntime)?.name }

    func canEncode(_ attribute: AttributeTraits) -> Bool { attribute.valueTransformerName != "Unknown" }

    func encode(_ object: Any, attribute: AttributeTraits, entity: String, property: String) throws -> Data {
        Data("\(object)".utf8)
    }

    func decode(_ bytes: Data, attribute: AttributeTraits, entity: String, property: String) throws -> Any? {
        String(bytes: bytes, encoding: .utf8)
    }

    func evaluate(_ predicate: AnyObject, with subject: StoreSubject, variables: [String: Any]) throws -> Bool
    {
        switch subject {
        case .row(let entity, let primaryKey):
            asked.append("\(entity.name) \(primaryKey)")
            return primaryKey % 2 == 1
        case .value(let value):
            asked.append("\(value ?? "nil")")
            return false
        }
    }

    func fetch(_ request: Value, in context: AnyObject, countOnly: Bool) throws -> Value { .null }

    func description(of request: AnyObject) throws -> FetchDescription {
        throw TranslationFailure("no requests here")
    }
}

/// Books with unique titles, and their authors.
enum SampleModel {
    /// - Parameter renamesPages: whether the model is the next version, in which `pages` is `length`.
    static func make(renamesPages: Bool = false) -> ModelRuntime {
        var author = EntitySchema(
            name: "Author",
            properties: [
                PropertySchema(name: "name", kind: .attribute(AttributeTraits(.string))),
                PropertySchema(
                    name: "books",
                    kind: .relationship(
                        RelationshipTraits(destinationEntityName: "Book", inverseName: "author"))),
            ])
        author.uniquenessConstraints = []
        var pages = PropertySchema(
            name: renamesPages ? "length" : "pages", kind: .attribute(AttributeTraits(.integer32)))
        if renamesPages { pages.renamingIdentifier = "pages" }
        var book = EntitySchema(
            name: "Book",
            properties: [
                PropertySchema(name: "title", kind: .attribute(AttributeTraits(.string))),
                pages,
                PropertySchema(
                    name: "author",
                    kind: .relationship(
                        RelationshipTraits(destinationEntityName: "Author", inverseName: "books", maxCount: 1)
                    )),
            ])
        book.uniquenessConstraints = [["title"]]
        return ModelRuntime.ofRows(ModelIndex(ModelSchema(entities: [author, book])))
    }
}

/// A row of its own, which lives as long as the value.
final class SampleRow {
    let entity: EntityRuntime
    let words: UnsafeMutablePointer<UInt64>

    init(_ entity: EntityRuntime, _ values: [String: Value] = [:], links: [String: Int64] = [:]) {
        self.entity = entity
        words = OwnedRow.empty(entity.layout)
        for (name, value) in values {
            if let slot = entity.layout.slot(named: name) { SlotValue.store(value, slot: slot, in: words) }
        }
        for (name, key) in links {
            if let slot = entity.layout.slot(named: name) {
                SlotValue.setWord(UInt64(bitPattern: key), slot: slot, in: words)
            }
        }
    }

    deinit {
        OwnedRow.destroy(words, layout: entity.layout)
    }

    func change(_ key: Int64, slots: [String] = [], expected: Int64 = 0, new: Int64 = 1) -> StoreChanges.Row {
        StoreChanges.Row(
            entity: entity, primaryKey: key, row: RowPointer(words, slab: nil),
            changedSlots: slots.compactMap { entity.layout.slot(named: $0)?.index },
            expectedVersion: expected,
            newVersion: new)
    }
}
