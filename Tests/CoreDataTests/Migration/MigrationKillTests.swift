// A process that dies at any moment of a migration leaves the older store or the newer one, whole.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

/// A store of items with tags, and a newer version in which nearly everything is elsewhere.
enum KilledStore {
    static func model(isNewer: Bool) -> NSManagedObjectModel {
        let item = NSEntityDescription(
            "Item", NSAttributeDescription.all(("number", .integer64AttributeType)))
        let text = NSAttributeDescription(isNewer ? "title" : "text", .stringAttributeType)
        text.renamingIdentifier = isNewer ? "text" : nil
        item.properties.append(text)
        let tag = NSEntityDescription("Tag")
        let model = NSManagedObjectModel()
        NSRelationshipDescription.connect(
            item, isNewer ? "tags" : "tag", isNewer ? .many : .one, tag, "items", .many)
        item.relationshipsByName["tags"]?.renamingIdentifier = "tag"
        if isNewer {
            let added = NSAttributeDescription("added", .integer64AttributeType, optional: false)
            added.defaultValue = 5
            item.properties.append(added)
        }
        // Ahead of the others, so that all numbers change.
        model.entities = (isNewer ? [NSEntityDescription("First")] : []) + [item, tag]
        return model
    }

    static func make(at url: URL, rows count: Int) throws {
        let opened = try OpenStore(url, model(isNewer: false))
        try opened.close()
        _ = try rows(
            url,
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count)) \
            INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNUMBER, ZTAG, ZTEXT) \
            SELECT i, 1, 1, i * 7, 1 + i % 100, 'text ' || i FROM n
            """)
        _ = try rows(
            url,
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100) \
            INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) SELECT i, 2, 1 FROM n
            """)
        _ = try rows(url, "UPDATE Z_PRIMARYKEY SET Z_MAX = \(count) WHERE Z_ENT = 1")
        _ = try rows(url, "UPDATE Z_PRIMARYKEY SET Z_MAX = 100 WHERE Z_ENT = 2")
    }

    static func migrate(_ path: String) throws {
        try OpenStore(URL(fileURLWithPath: path), model(isNewer: true), options: .migrating).close()
    }

    /// Migrates the store and dies: after so many microseconds, or when it is done.
    static func migrateAndDie(_ path: String, after delay: Int) throws {
        Thread.detachNewThread {
            usleep(useconds_t(delay))
            kill(getpid(), SIGKILL)
        }
        try migrate(path)
        kill(getpid(), SIGKILL)
    }

    /// Returns whether it is the newer store. A fault of either is thrown or fails an expectation.
    static func check(_ url: URL, rows count: Int) throws -> Bool {
        try expect(rows(url, "PRAGMA integrity_check"), equals: [["ok"]])
        let isNewer = try rows(url, "SELECT Z_NAME FROM Z_PRIMARYKEY WHERE Z_ENT = 1") == [["First"]]
        let expected = [["\(count)", "\(count * (count + 1) / 2 * 7)"]]
        try expect(rows(url, "SELECT COUNT(*), SUM(ZNUMBER) FROM ZITEM"), equals: expected)
        let opened = try OpenStore(url, model(isNewer: isNewer))
        try expect(opened.coordinator.verify(opened.store), equals: [])
        try opened.close()
        guard isNewer else { return false }
        try expect(
            rows(url, "SELECT COUNT(*) FROM ZITEM WHERE ZADDED = 5 AND Z_ENT = 2"), equals: [["\(count)"]])
        try expect(rows(url, "SELECT COUNT(*) FROM Z_2TAGS"), equals: [["\(count)"]])
        try expect(rows(url, "SELECT ZTITLE FROM ZITEM WHERE Z_PK = 3"), equals: [["text 3"]])
        return true
    }
}

@Suite struct MigrationKillTests {
    @Test func aKilledMigrationLeavesOneStoreWhole() async throws {
        let folder = try TemporaryFolder()
        let (count, kills) = (rounds(20_000, long: 100_000), rounds(6, long: 200))
        let original = folder.file("Original.sqlite")
        try KilledStore.make(at: original, rows: count)
        let start = ContinuousClock.now
        let trial = folder.file("Trial.sqlite")
        try FileManager.default.copyItem(at: original, to: trial)
        try KilledStore.migrate(trial.path)
        #expect(try KilledStore.check(trial, rows: count))
        let duration = Int((ContinuousClock.now - start) / .microseconds(1))
        var generator = SeededGenerator(seed: 6)
        for number in 0..<kills {
            let url = folder.file("Store\(number).sqlite")
            try FileManager.default.copyItem(at: original, to: url)
            let delay = Int.random(in: 0...duration, using: &generator)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = url.path as String, delay = delay as Int] in
                try KilledStore.migrateAndDie(path, after: delay)
            }
            if try !KilledStore.check(url, rows: count) {
                try KilledStore.migrate(url.path)
                #expect(try KilledStore.check(url, rows: count))
            }
            for suffix in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: url.path + suffix)
            }
        }
    }
}
