// A store that is open keeps its locks whatever else the process asks of its file.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct StoreLocksTests {
    let folder: TemporaryFolder
    let url: URL
    let coordinator: NSPersistentStoreCoordinator

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("open.sqlite")
        coordinator = try StoreFixtures.open(url).coordinator
        try StoreFixtures.save(["Ada"], to: coordinator)
    }

    /// Public calls that take a store's URL. Those that refuse the file may: it is the locks that count.
    enum Call: String, CaseIterable {
        case secondCoordinator, readOnlyCoordinator, container
        case addedAsXML, addedAsBinary
        case metadataAsSQLite, metadataAsXML, metadataAsBinary, metadataWithoutType, metadataWithURL
        case setMetadata, cachedModel, keptModel, rowsBySQL, migrationSteps
        case sourceOfReplacement, sourceOfMigration, migrationManager, modelAtURL

        func make(_ url: URL, in folder: TemporaryFolder) throws {
            let model = StoreFixtures.model()
            let other = NSPersistentStoreCoordinator(managedObjectModel: model)
            typealias Coordinator = NSPersistentStoreCoordinator
            switch self {
            case .secondCoordinator, .addedAsXML, .addedAsBinary, .readOnlyCoordinator:
                let type = [.addedAsXML: NSXMLStoreType, .addedAsBinary: NSBinaryStoreType][self]
                let store = try other.addPersistentStore(
                    ofType: type ?? NSSQLiteStoreType, configurationName: nil, at: url,
                    options: [NSReadOnlyPersistentStoreOption: self == .readOnlyCoordinator])
                try other.remove(store)
            case .container:
                let container = NSPersistentContainer(name: "Open", managedObjectModel: model)
                container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
                container.loadPersistentStores { _, error in #expect(error == nil) }
            case .metadataAsSQLite, .metadataAsXML, .metadataAsBinary:
                let type = [.metadataAsXML: NSXMLStoreType, .metadataAsBinary: NSBinaryStoreType][self]
                _ = try Coordinator.metadataForPersistentStore(ofType: type ?? NSSQLiteStoreType, at: url)
            case .metadataWithoutType:
                _ = try Coordinator.metadataForPersistentStore(ofType: String?.none, at: url)
            case .metadataWithURL: _ = try Coordinator.metadataForPersistentStore(with: url)
            case .setMetadata:
                try Coordinator.setMetadata(
                    ["note": "x"], forPersistentStoreOfType: NSSQLiteStoreType, at: url)
            case .cachedModel: _ = try Coordinator.cachedModelForPersistentStore(at: url)
            case .keptModel: _ = try Coordinator.model(inStoreAt: url)
            case .rowsBySQL: try Coordinator.readSQL("SELECT * FROM ZPERSON", inStoreAt: url) { _ in }
            case .migrationSteps: _ = try Coordinator.migrationSteps(forStoreAt: url, to: model)
            case .sourceOfReplacement:
                try other.replacePersistentStore(
                    at: folder.file("copy.sqlite"), withPersistentStoreFrom: url, ofType: NSSQLiteStoreType)
            case .sourceOfMigration:
                let store = try other.addPersistentStore(
                    type: .sqlite, at: url, options: nil)
                try other.migratePersistentStore(store, to: folder.file("moved.sqlite"), type: .sqlite)
            case .migrationManager:
                let target = StoreFixtures.model(age: .integer64)
                let mapping = try NSMappingModel.inferredMappingModel(
                    forSourceModel: model, destinationModel: target)
                try NSMigrationManager(sourceModel: model, destinationModel: target).migrateStore(
                    from: url, type: .sqlite, mapping: mapping, to: folder.file("new.sqlite"), type: .sqlite)
            case .modelAtURL: _ = NSManagedObjectModel(contentsOf: url)
            }
        }
    }

    /// Returns the locks that this process has on a file, by the kernel's account. That may leave one out while others lock and
    /// unlock files, but hardly several times in a row.
    private func locks(_ path: String) throws -> [String] {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        let inode = try #require(attributes[.systemFileNumber] as? NSNumber)
        let ending = ":\(inode)"
        let process = String(ProcessInfo.processInfo.processIdentifier)
        let lines = Set(try (0..<8).flatMap { _ in try Self.table().split(separator: "\n") })
        let found = lines.compactMap { line -> String? in
            let words = line.split(separator: " ")
            guard words.count >= 8, words[4] == process, words[5].hasSuffix(ending) else { return nil }
            return words.dropFirst().joined(separator: " ")
        }
        return Set(found).sorted()
    }

    /// The kernel gives a page at a time, which Foundation takes for the end of the file.
    private static func table() throws -> String {
        let descriptor = open("/proc/locks", O_RDONLY | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = read(descriptor, &part, part.count), count > 0 { bytes += part[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }

    static let kernelTellsLocks = FileManager.default.isReadableFile(atPath: "/proc/locks")

    @Test(.enabled(if: kernelTellsLocks, "needs /proc/locks"), arguments: Call.allCases)
    func locksStay(call: Call) throws {
        let before = (try locks(url.path), try locks(url.path + "-shm"))
        // In write-ahead mode an open connection has both.
        try #require(!before.0.isEmpty && !before.1.isEmpty)
        _ = StoreFixtures.error { try call.make(url, in: folder) }
        try expect(locks(url.path), equals: before.0)
        try expect(locks(url.path + "-shm"), equals: before.1)
    }

    /// Another program that closes the file deletes the log if nobody seems to have the file open.
    @Test(.enabled(if: Self.canRunSQLite, "needs the sqlite3 command"), arguments: Call.allCases)
    func savesAreKeptBesideAnotherProcess(call: Call) throws {
        _ = StoreFixtures.error { try call.make(url, in: folder) }
        try expect(Self.count(url), equals: "1")
        #expect(FileManager.default.fileExists(atPath: url.path + "-wal"))
        try StoreFixtures.save(["Bob"], to: coordinator)
        try expect(Self.count(url), equals: "2")
    }

    @Test(.enabled(if: kernelTellsLocks, "needs /proc/locks"), arguments: [false, true])
    func otherPathsLeadToTheSameLocks(isSymbolic: Bool) throws {
        let other = folder.file("other.sqlite")
        if isSymbolic {
            try FileManager.default.createSymbolicLink(at: other, withDestinationURL: url)
        } else {
            try FileManager.default.linkItem(at: url, to: other)
        }
        let before = try locks(url.path)
        for type in [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType] {
            _ = StoreFixtures.error {
                _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: other)
            }
        }
        #expect(try locks(url.path) == before && !before.isEmpty)
    }

    static let canRunSQLite = FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")

    /// Returns the number of people that another process finds.
    private static func count(_ url: URL) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
        process.arguments = [url.path, "SELECT COUNT(*) FROM ZPERSON"]
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
