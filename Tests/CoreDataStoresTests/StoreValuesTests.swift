// The answers of every kind of store, below Apple's classes: rows in memory and in a file are asked the same.

import CoreDataPredicate
import CoreDataSQL
import CoreDataSQLiteEngine
import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

/// A store that is asked in values.
private struct SampleStore {
    enum Kind: CaseIterable { case memory, file }

    let model: ModelRuntime
    let host: SampleHost
    let save: (StoreChanges) throws -> Void
    let titles: (StoreFetch) throws -> [String]
    let dictionaries: (StoreDictionaryFetch) throws -> [[Value]]
    let related: (RelationRuntime, EntityRuntime, Int64) throws -> [Int64]
    let execute: (StoreBatch) throws -> BatchChanges

    var book: EntityRuntime { model.runtimes[1] }
    var author: EntityRuntime { model.runtimes[0] }

    init(_ kind: Kind) throws {
        let (model, host) = (SampleModel.make(), SampleHost())
        (self.model, self.host) = (model, host)
        switch kind {
        case .memory:
            let rows = try MemoryRows(model: model, host: host)
            save = { try rows.save($0) }
            titles = { fetch in
                try rows.answer { try $0.rows(fetch) }.map { Self.title($0.pointer, $0.entity) }
            }
            dictionaries = { fetch in try rows.answer { try $0.dictionaries(fetch) } }
            related = { relation, _, source in rows.members(relation, of: source).map(\.primaryKey) }
            execute = { batch in try rows.execute(batch) { try rows.save($0) } }
        case .file:
            let file = try Self.file(model, host)
            let executor = SaveExecutor(file: file) { _, _ in true }
            save = { changes in
                do {
                    try file.engine.transaction { try executor.run(changes) }
                } catch let failure as EngineFailure {
                    guard case .unique = failure.kind else { throw failure }
                    try UniquenessCheck(changes, in: model).run(file.taken)
                }
            }
            titles = { fetch in
                var titles: [String] = []
                try file.fetchRows(fetch) { slab in
                    for row in 0..<slab.count {
                        titles.append(Self.title(RowPointer(slab.row(row), slab: slab), fetch.entity))
                    }
                }
                return titles
            }
            dictionaries = { try file.fetchDictionaries($0) }
            related = { relation, entity, source in
                var keys: [Int64] = []
                try file.fetchRelated(relation, of: entity, sources: [source]) { found in
                    for row in 0..<found.slab.count { keys.append(found.slab.primaryKeys[row]) }
                }
                return keys
            }
            execute = { batch in try file.engine.transaction { try batch.run(on: file, nil) } }
        }
    }

    private static func title(_ row: RowPointer, _ entity: EntityRuntime) -> String {
        entity.layout.slot(named: "title").map { row.string($0) } ?? ""
    }

    private static func file(_ model: ModelRuntime, _ host: SampleHost) throws -> SQLiteFile {
        var opening = OpeningOptions(.create)
        opening.isInMemory = true
        let engine = try SQLiteEngine(path: "/dev/null/\(UUID().uuidString)", opening)
        let blueprint = try LayoutBuilder.blueprint(for: model.index)
        let statements = try SchemaStatements(
            blueprint, uuid: "U", propertyList: StoreMetadata(uuid: "U").propertyList(), modelCache: nil)
        #expect(try engine.create(statements.statements))
        return SQLiteFile(engine: engine, model: model, layout: blueprint.layout(), host: host)
    }

    /// Saves an author of two books, and a book without author.
    func fill() throws {
        let mary = SampleRow(author, ["name": .string("Mary")])
        let books = [
            SampleRow(
                book, ["title": .string("Frankenstein"), "pages": .integer(280)], links: ["author": 1]),
            SampleRow(book, ["title": .string("Mathilda"), "pages": .integer(120)], links: ["author": 1]),
            SampleRow(book, ["title": .string("Emma"), "pages": .integer(474)]),
        ]
        var changes = StoreChanges()
        changes.inserted = [mary.change(1)] + books.enumerated().map { $1.change(Int64($0 + 1)) }
        try withExtendedLifetime(books) { try save(changes) }
    }

    func fetch(_ predicate: PredicateTree? = nil) -> StoreFetch {
        var fetch = StoreFetch(entity: book)
        fetch.predicate = predicate
        fetch.sortKeys = [SortKey("title", ascending: true)]
        return fetch
    }
}

struct StoreValuesTests {
    private func longer(than pages: Int64) -> PredicateTree {
        .comparison(
            .init(.keyPath(.evaluatedObject, "pages"), op: .greaterThan, right: .constant(.integer(pages))))
    }

    @Test(arguments: SampleStore.Kind.allCases)
    fileprivate func rowsAreFoundInOrder(_ kind: SampleStore.Kind) throws {
        let store = try SampleStore(kind)
        try store.fill()
        try expect(store.titles(store.fetch()), equals: ["Emma", "Frankenstein", "Mathilda"])
        try expect(store.titles(store.fetch(longer(than: 200))), equals: ["Emma", "Frankenstein"])
        var second = store.fetch()
        (second.offset, second.limit) = (1, 1)
        try expect(store.titles(second), equals: ["Frankenstein"])
    }

    @Test(arguments: SampleStore.Kind.allCases)
    fileprivate func predicatesNameRowsByReferencesOfTheHost(_ kind: SampleStore.Kind) throws {
        let store = try SampleStore(kind)
        try store.fill()
        let mary = store.host.reference(to: store.author, primaryKey: 1)
        let byMary = PredicateTree.comparison(
            .init(
                .keyPath(.evaluatedObject, "author"), op: .equalTo,
                right: .constant(.object(ObjectReference(mary)))))
        try expect(store.titles(store.fetch(byMary)), equals: ["Frankenstein", "Mathilda"])
        let books = try #require(store.author.property("books")?.relation)
        try expect(Set(store.related(books, store.author, 1)), equals: [1, 2])
    }

    @Test(arguments: SampleStore.Kind.allCases)
    fileprivate func dictionariesHoldReferencesOfTheHost(_ kind: SampleStore.Kind) throws {
        let store = try SampleStore(kind)
        try store.fill()
        let request = StoreDictionaryFetch(
            fetch: store.fetch(),
            columns: [.init(name: "title", source: .keyPath("title")), .init(name: "id", source: .objectID)])
        let rows = try store.dictionaries(request)
        expect(rows.map(\.first), equals: [.string("Emma"), .string("Frankenstein"), .string("Mathilda")])
        let keys = rows.map { row -> Int64? in
            guard case .object(let reference)? = row.last else { return nil }
            return store.host.row(of: reference.object)?.primaryKey
        }
        expect(keys, equals: [3, 1, 2])
    }

    @Test(arguments: SampleStore.Kind.allCases)
    fileprivate func aChangedRowIsAConflictWithWhatTheStoreHolds(_ kind: SampleStore.Kind) throws {
        let store = try SampleStore(kind)
        try store.fill()
        let changed = SampleRow(store.book, ["title": .string("Emma"), "pages": .integer(500)])
        var changes = StoreChanges()
        changes.updated = [changed.change(3, slots: ["pages"], expected: 7, new: 8)]
        let conflict = try #require(throws: StoreConflict.self) { try store.save(changes) }
        expect(conflict.rows.map(\.key), equals: [RowKey(store.book, primaryKey: 3)])
        expect(conflict.rows.first?.isOwn, equals: true)
        let slot = try #require(store.book.layout.slot(named: "pages"))
        let current = try #require(conflict.rows.first?.current)
        expect(RowPointer(current.row(0), slab: current).value(slot), equals: .integer(474))
        #expect(try store.titles(store.fetch(longer(than: 490))).isEmpty)
    }

    @Test(arguments: SampleStore.Kind.allCases)
    fileprivate func aTitleThatIsTakenNamesBothRows(_ kind: SampleStore.Kind) throws {
        let store = try SampleStore(kind)
        try store.fill()
        let again = SampleRow(store.book, ["title": .string("Emma")])
        var changes = StoreChanges()
        changes.inserted = [again.change(9)]
        let conflict = try #require(throws: StoreConstraintConflict.self) { try store.save(changes) }
        let violation = try #require(conflict.violations.first)
        #expect(violation.constraint == ["title"] && violation.owner === store.book)
        expect(violation.rows, equals: [RowKey(store.book, primaryKey: 9)])
        expect(violation.database?.primaryKeys[0], equals: 3)
        try expect(store.titles(store.fetch()).count, equals: 3)
    }

    @Test(arguments: SampleStore.Kind.allCases)
    fileprivate func aBatchDeletesAndSaysWhich(_ kind: SampleStore.Kind) throws {
        let store = try SampleStore(kind)
        try store.fill()
        let batch = BatchDelete(
            fetch: store.fetch(longer(than: 200)), primaryKeys: nil, collectsKeys: true,
            progress: BatchProgress())
        let changes = try store.execute(.delete(batch))
        expect(changes.count, equals: 2)
        expect(
            Set(changes.deleted),
            equals: [RowKey(store.book, primaryKey: 1), RowKey(store.book, primaryKey: 3)])
        try expect(store.titles(store.fetch()), equals: ["Mathilda"])
    }

    @Test func closuresAreAskedOfRowsInMemory() throws {
        let store = try SampleStore(.memory)
        try store.fill()
        let closure = PredicateTree.block(ObjectReference(store.host))
        try expect(store.titles(store.fetch(closure)), equals: ["Emma", "Frankenstein"])
        expect(store.host.asked, equals: ["Book 1", "Book 2", "Book 3"])
    }

    @Test func aFilesPlannerRefusesClosures() throws {
        let store = try SampleStore(.file)
        let closure = PredicateTree.block(ObjectReference(store.host))
        #expect(throws: TranslationFailure.self) { try store.titles(store.fetch(closure)) }
    }
}
