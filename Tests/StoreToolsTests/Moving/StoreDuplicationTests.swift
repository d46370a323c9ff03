// Copies from and to a server, with programs that write meanwhile.

import CoreData
import CoreDataTestSupport
import Dispatch
import Foundation
import StoreTools
import Synchronization
import Testing

@Suite(.enabled(if: PostgreSQLServer.isAvailable, "\(PostgreSQLServer.requirement)"))
struct StoreDuplicationTests {
    private let schema: ServerSchema
    private let rich: MoveModel

    init() throws {
        schema = try ServerSchema()
        rich = try MoveModel()
        rich.model.hasNoClasses = true
    }

    private func path(_ name: String) -> String { rich.folder.file(name).path }

    private func copy(
        _ source: String, _ destination: String, progress: @escaping (String) -> Void = { _ in }
    ) throws {
        try StoreDuplication.copy(from: source, to: destination, progress: progress)
    }

    @Test func `A server's store is copied as it was, whoever writes`() throws {
        try rich.makeStore(schema.address, count: 40)
        let before = try rich.contents(schema.address)
        let isChanged = Mutex(false)
        let file = path("Copy.sqlite")
        try copy(schema.address, file) { [schema] words in
            #expect(!FileManager.default.fileExists(atPath: file))
            isChanged.withLock { isChanged in
                if isChanged { return }
                isChanged = true
                for statement in [
                    "UPDATE thing SET name = 'other', object_version = object_version + 1",
                    "UPDATE tag SET label = 'other'",
                    "INSERT INTO tag (object_id, label, object_version) VALUES (9999, 'new', 1)",
                    "DELETE FROM thing_friends",
                ] {
                    #expect(throws: Never.self) { try schema.write(statement) }
                }
            }
        }
        #expect(isChanged.withLock { $0 })
        try expect(rich.contents(file), equals: before)
        #expect(try rich.contents(schema.address) != before)
        try expect(
            Diagnosis.findings(path: file, modelPath: nil).filter(\.isHarmful).map(\.title), equals: [])
        let error = try #require(throws: ToolFailure.self) { try copy(schema.address, file) }
        #expect(error.description.contains("already"))
    }

    @Test func `A file, and a server's store, are copied to a server`() throws {
        let (first, last) = (path("First.sqlite"), try ServerSchema())
        try rich.makeStore(first, count: 40)
        try copy(first, schema.address)
        try copy(schema.address, last.address)
        let contents = try rich.contents(schema.address)
        try expect(rich.contents(last.address), equals: contents)
        expect(
            contents.values.map(\.count).reduce(0, +),
            equals: (try rich.contents(first).values.map(\.count).reduce(0, +)))
        let identifiers = try [first, schema.address, last.address].map {
            try StoreAddress($0).metadata()[NSStoreUUIDKey] as? String
        }
        expect(Set(identifiers).count, equals: 3)
        #expect(throws: ToolFailure.self) { try copy(first, schema.address) }
    }

    @Test func `A copy that another program is at is left alone`() throws {
        let first = path("First.sqlite")
        try rich.makeStore(first, count: 8)
        let refusals = Mutex<[String]>([])
        try copy(first, schema.address) { [self] words in
            guard refusals.withLock(\.isEmpty) else { return }
            for fill in [
                { try copy(first, schema.address) },
                { try StoreMove(from: first, to: schema.address).run().count },
            ] as [() throws -> Any] {
                let error = #expect(throws: ToolFailure.self) { _ = try fill() }
                refusals.withLock { $0.append(error?.description ?? "") }
            }
        }
        let texts = refusals.withLock { $0 }
        expect(texts.count, equals: 2)
        #expect(
            texts[0].hasPrefix("Another program makes, copies or moves a store at postgresql:"), "\(texts)")
        #expect(texts[1].hasPrefix("A copy into postgresql:"), "\(texts)")
        try expect(
            rich.contents(schema.address).mapValues(\.count),
            equals: rich.contents(first).mapValues(\.count))
        // Nobody is kept out when it is done.
        let error = try #require(throws: ToolFailure.self) { try copy(first, schema.address) }
        #expect(error.description.contains("already"))
    }

    /// Each once took what the other had begun for a killed program's, so that a copy that had returned was gone.
    @Test func `Of copies begun at once one is made`() throws {
        let first = path("First.sqlite")
        try rich.makeStore(first, count: 200)
        let outcomes = Mutex<[Bool]>([])
        DispatchQueue.concurrentPerform(iterations: 3) { [address = schema.address] _ in
            let isMade = (try? StoreDuplication.copy(from: first, to: address)) != nil
            outcomes.withLock { $0.append(isMade) }
        }
        expect(outcomes.withLock { $0.filter { $0 }.count }, equals: 1)
        try expect(
            rich.contents(schema.address).mapValues(\.count),
            equals: rich.contents(first).mapValues(\.count))
    }

    @Test func `Nothing is left of a copy that fails`() throws {
        let first = path("First.sqlite")
        try rich.makeStore(first, count: 8)
        let isChanged = Mutex(false)
        let error = try #require(throws: NSError.self) {
            try copy(first, schema.address) { [schema] words in
                isChanged.withLock { isChanged in
                    guard words.hasPrefix("comparing"), !isChanged else { return }
                    isChanged = true
                    #expect(throws: Never.self) {
                        try schema.write("UPDATE tag SET label = 'other' WHERE label = 'tag 1'")
                    }
                }
            }
        }
        expect(error.localizedFailureReason, equals: "Values of Tag.label aren't the same.")
        try expect(schema.exists(), equals: false)
        try rich.makeStore(schema.address, count: 8)
        // A file's decimals are doubles.
        try schema.write("UPDATE thing SET price = 1.2345678901234567890123")
        #expect(throws: NSError.self) { try copy(schema.address, path("Copy.sqlite")) }
        #expect(!FileManager.default.fileExists(atPath: path("Copy.sqlite")))
    }
}
