// Suites over kinds of stores that leave out those on servers, each with its reason. A suite that isn't listed here runs on
// PostgreSQL wherever it runs on SQLite.

import CoreDataTestSupport
import Foundation
import Testing

struct ServerCoverageTests {
    /// Files of tests, by their path below `CoreDataTests`, whose lists of kinds or types have SQLite and no server.
    private static let reasons = [
        "Conformance/ConfigurationStoresTests.swift":
            "files that are copied and opened with another configuration",
        "Conformance/ExactDecimalTests.swift": "exact text in files; decimals of a server are exact by type",
        "Coordinator/NSPersistentStoreCoordinator+MovingTests.swift":
            "files of stores that are moved and replaced",
        "Coordinator/NSPersistentStoreCoordinator+StoreFilesTests.swift": "files of stores",
        "Context/Fetching/AggregateKindTests.swift": "stores at /dev/null, which have no address",
        "Context/Parent/MovedStoreTests.swift": "files of stores that are moved",
        "Migration/CompositeMigrationTests.swift": "migration of files",
        "Migration/MigrationSpaceTests.swift": "full disks below files",
        "Migration/MigrationSafetyTests.swift": "files of a migration that is killed",
        "Store/BuiltIn/StoreRecoveryTests.swift": "pipes and other files that are no stores",
        "Store/FileStoreTests.swift": "files that are read and written whole",
        "Store/UnsettledVersionTests.swift": "version hashes in files of other versions",
    ]

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The files that have a list with SQLite in it, and none for servers beside it.
    private static func filesWithoutServers() throws -> Set<String> {
        let items = #"[^\[\]]*(?:\.sqlite|NSSQLiteStoreType)\b[^\[\]]*"#
        let list = try NSRegularExpression(
            pattern: #"\[(?=[^\[\]]*,)"# + items + #"\](?! *\+\s*StoreKind\.(?:onServers|serverTypes))"#)
        let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        var found: Set<String> = []
        for path in paths where path.hasSuffix("Tests.swift") || path.hasSuffix("Pitfalls.swift") {
            let text = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
            for line in text.components(separatedBy: "\n")
            where line.contains("@Test(") || line.contains("arguments:") || line.contains("static let") {
                if list.firstMatch(in: line, range: NSRange(line.startIndex..., in: line)) != nil {
                    found.insert(path)
                }
            }
        }
        return found
    }

    @Test func eachSuiteThatLeavesOutServersHasAReason() throws {
        let found = try Self.filesWithoutServers()
        expect(
            found.subtracting(Self.reasons.keys).sorted(), equals: [],
            "these need a server's kind or a reason")
        expect(
            Set(Self.reasons.keys).subtracting(found).sorted(), equals: [], "these leave none out any more")
    }
}
