// Functions that several of the engine's tests share.

import CoreDataSQL
import CoreDataSQLiteEngine
import CoreDataSupport
import CoreDataTestSupport
import Foundation

extension SQLiteEngine {
    /// Inserts `count` persons whose `large` is ten times their key.
    func insertSample(_ sample: SampleStore, _ count: Int) throws {
        let rows = try (1...count).map { try sample.row(["large": .integer(Int64($0) * 10)]) }
        try transaction {
            try insert(rows, primaryKeys: (1...count).map { Int64($0) }, encoder: sample.encoder())
        }
    }
}

extension TemporaryFolder {
    /// Bytes of all files, by path below the folder.
    func contents() throws -> [String: Data] {
        var result: [String: Data] = [:]
        for case let name as String in FileManager.default.enumerator(atPath: url.path) ?? .init() {
            result[name] = FileManager.default.contents(atPath: file(name).path) ?? Data()
        }
        return result
    }
}
