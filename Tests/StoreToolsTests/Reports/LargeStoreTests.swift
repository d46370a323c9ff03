// A store of many gigabytes is opened, examined and migrated in flat memory. COREDATA_LONG_TESTS makes it large,
// COREDATA_LARGE_STORE_GIGABYTES says how large, TMPDIR where; three times the size must be free there.

import CoreData
import CoreDataTestSupport
import Foundation
import StoreTools
import Testing

@Suite struct LargeStoreTests {
    private static let gigabytes: Double = {
        let environment = ProcessInfo.processInfo.environment
        if let size = environment["COREDATA_LARGE_STORE_GIGABYTES"].flatMap(Double.init) { return size }
        return Double(rounds(2, long: 1000)) / 100
    }()

    /// Megabytes that the process may need, however large the store is.
    private static let limit = 256.0
    /// Bytes of a row.
    private static let rowSize = 1060.0

    private static func model(isNewer: Bool, in folder: TemporaryFolder) throws -> NSManagedObjectModel {
        let newer = "<attribute name=\"mark\" attributeType=\"String\" defaultValueString=\"none\"/>"
        let text = """
            <model><entity name="Folder"><attribute name="name" optional="YES" attributeType="String"/>
            <relationship name="notes" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Note" \
            inverseName="folder" inverseEntity="Folder"/></entity>
            <entity name="Note"><attribute name="number" attributeType="\(isNewer ? "Double" : "Integer 64")"/>
            <attribute name="text" optional="YES" attributeType="String"/>\(isNewer ? newer : "")
            <relationship name="folder" optional="YES" maxCount="1" deletionRule="Nullify" \
            destinationEntity="Folder" inverseName="notes" inverseEntity="Folder"/>
            <fetchIndex name="byNumber"><fetchIndexElement property="number" type="Binary" order="ascending"/>
            </fetchIndex></entity></model>
            """
        let file = folder.file(isNewer ? "Newer.xcdatamodel" : "Older.xcdatamodel")
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file.appendingPathComponent("contents"))
        return try NSManagedObjectModel.read(from: file)
    }

    /// By plain SQL, as objects would take a day.
    private static func fill(_ url: URL, rows: Int) throws {
        let database = try PlainDatabase(url)
        let chunk = 500_000
        try database.rows("PRAGMA synchronous = OFF")
        try database.rows(
            """
            WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 1000)
            INSERT INTO ZFOLDER (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT n, 1, 1, 'Folder ' || n FROM c
            """)
        for start in stride(from: 1, through: rows, by: chunk) {
            try database.rows(
                """
                WITH RECURSIVE c(n) AS
                (SELECT \(start) UNION ALL SELECT n + 1 FROM c WHERE n < \(min(rows, start + chunk - 1)))
                INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZFOLDER, ZNUMBER, ZTEXT)
                SELECT n, 2, 1, 1 + n % 1000, n, hex(randomblob(500)) FROM c
                """)
        }
        try database.rows("UPDATE Z_PRIMARYKEY SET Z_MAX = \(rows) WHERE Z_NAME = 'Note'")
        try database.rows("UPDATE Z_PRIMARYKEY SET Z_MAX = 1000 WHERE Z_NAME = 'Folder'")
        try database.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// Runs a step and says what it took.
    private static func measure(_ name: String, _ body: () throws -> Void) throws {
        // The peak begins anew.
        try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
        let start = Date()
        try body()
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        let peak = try #require(line.split(separator: " ").dropLast().last.flatMap { Double($0) }) / 1024
        if gigabytes >= 1 {
            let seconds = Date().timeIntervalSince(start)
            print("\(gigabytes) GB, \(name): \(Int(seconds)) s, peak \(Int(peak)) MB")
        }
        // The address sanitizer keeps memory that was freed.
        if ProcessInfo.processInfo.environment["ASAN_OPTIONS"] == nil {
            #expect(peak < limit, "\(name) needed \(peak) MB")
        }
    }

    private static func read(_ url: URL, rows: Int) throws {
        let opened = try OpenStore(path: url.path)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
        let count = try opened.context.count(for: request)
        expect(count, equals: rows)
        request.predicate = NSPredicate(format: "number > %d", rows - 100)
        request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
        let last = try opened.context.fetch(request)
        expect(last.count, equals: 100)
        expect((last.last?.value(forKey: "number") as? NSNumber)?.intValue, equals: rows)
        expect((last.last?.value(forKey: "text") as? String)?.count, equals: 1000)
        try opened.close()
    }

    @Test func aLargeStoreNeedsLittleMemory() async {
        let run = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            let folder = try TemporaryFolder()
            let url = folder.file("Large.sqlite")
            let rows = Int(LargeStoreTests.gigabytes * 1e9 / LargeStoreTests.rowSize)
            let older = try LargeStoreTests.model(isNewer: false, in: folder)
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: older)
            let store = try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
            try coordinator.remove(store)
            try LargeStoreTests.measure("make") { try LargeStoreTests.fill(url, rows: rows) }
            try LargeStoreTests.measure("open and read") { try LargeStoreTests.read(url, rows: rows) }
            try LargeStoreTests.measure("doctor") {
                let findings = try Diagnosis.findings(path: url.path, modelPath: nil)
                #expect(findings.isEmpty, "\(findings.map(\.title))")
            }
            _ = try LargeStoreTests.model(isNewer: true, in: folder)
            try LargeStoreTests.measure("migrate") {
                let newer = folder.file("Newer.xcdatamodel").path
                try StoreMigration(of: url.path, from: nil, to: newer).run()
            }
            try LargeStoreTests.measure("open and read again") { try LargeStoreTests.read(url, rows: rows) }
            // An exit test's process ends without releasing what it holds.
            try FileManager.default.removeItem(at: folder.url)
        }
        // The process has no standard output of its own.
        if Self.gigabytes >= 1, let run { print(String(decoding: run.standardOutputContent, as: UTF8.self)) }
    }
}
