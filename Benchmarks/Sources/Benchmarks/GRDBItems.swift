// Rows of integers as GRDB's records, hand-written (by column number) and Codable.

#if GRDB
    import Foundation
    import GRDB

    protocol ItemRecord: FetchableRecord, PersistableRecord {
        init(row: Int)
        var first: Int64 { get }
        var sum: Int64 { get }
    }

    extension ItemRecord {
        static var databaseTableName: String { "ZITEM" }
        static var databaseSelection: [any SQLSelectable] {
            (["Z_PK", "Z_ENT", "Z_OPT"] + FetchIntegers.names.map { "Z" + $0.uppercased() }).map {
                Column($0)
            }
        }
    }

    struct HandItem: ItemRecord {
        let (key, entity, version): (Int64, Int64, Int64)
        let (i0, i1, i2, i3, i4): (Int64, Int64, Int64, Int64, Int64)
        let (i5, i6, i7, i8, i9): (Int64, Int64, Int64, Int64, Int64)

        init(row: Row) {
            (key, entity, version) = (row[0], row[1], row[2])
            (i0, i1, i2, i3, i4) = (row[3], row[4], row[5], row[6], row[7])
            (i5, i6, i7, i8, i9) = (row[8], row[9], row[10], row[11], row[12])
        }

        init(row: Int) {
            func value(_ column: Int) -> Int64 { FetchIntegers.value(row, column) }
            (key, entity, version) = (Int64(row + 1), 1, 1)
            (i0, i1, i2, i3, i4) = (value(0), value(1), value(2), value(3), value(4))
            (i5, i6, i7, i8, i9) = (value(5), value(6), value(7), value(8), value(9))
        }

        func encode(to container: inout PersistenceContainer) {
            (container["Z_PK"], container["Z_ENT"], container["Z_OPT"]) = (key, entity, version)
            (container["ZI0"], container["ZI1"], container["ZI2"]) = (i0, i1, i2)
            (container["ZI3"], container["ZI4"], container["ZI5"]) = (i3, i4, i5)
            (container["ZI6"], container["ZI7"], container["ZI8"]) = (i6, i7, i8)
            container["ZI9"] = i9
        }

        var first: Int64 { i0 }
        var sum: Int64 { i0 + i1 + i2 + i3 + i4 + i5 + i6 + i7 + i8 + i9 }
    }

    struct CodableItem: ItemRecord, Codable {
        let Z_PK, Z_ENT, Z_OPT: Int64
        let ZI0, ZI1, ZI2, ZI3, ZI4, ZI5, ZI6, ZI7, ZI8, ZI9: Int64

        init(row: Int) {
            func value(_ column: Int) -> Int64 { FetchIntegers.value(row, column) }
            (Z_PK, Z_ENT, Z_OPT) = (Int64(row + 1), 1, 1)
            (ZI0, ZI1, ZI2, ZI3, ZI4) = (value(0), value(1), value(2), value(3), value(4))
            (ZI5, ZI6, ZI7, ZI8, ZI9) = (value(5), value(6), value(7), value(8), value(9))
        }

        var first: Int64 { ZI0 }
        var sum: Int64 { ZI0 + ZI1 + ZI2 + ZI3 + ZI4 + ZI5 + ZI6 + ZI7 + ZI8 + ZI9 }
    }

    enum GRDBItems {
        /// A database with the settings of `RawSQLite`.
        static func open(_ path: String) throws -> DatabaseQueue {
            var configuration = Configuration()
            configuration.journalMode = .wal
            configuration.prepareDatabase { database in
                try database.execute(sql: "PRAGMA synchronous = NORMAL; PRAGMA cache_size = -2000")
            }
            return try DatabaseQueue(path: path, configuration: configuration)
        }

        static func insert<Record: ItemRecord>(_: Record.Type, _ folder: URL) throws -> (Double, Int64) {
            let url = Files.fresh(folder)
            defer { Files.remove(url) }
            try FetchIntegers.makeTable(try RawSQLite(path: url.path))
            let queue = try open(url.path)
            let time = try Clock.measure {
                try queue.write { database in
                    for row in 0..<FetchIntegers.rowCount { try Record(row: row).insert(database) }
                }
            }
            return (time, 0)
        }

        static func fetch<Record: ItemRecord>(_: Record.Type, _ path: String) throws -> (Double, Int64) {
            let queue = try open(path)
            var sum: Int64 = 0
            var records: [Record] = []
            let time = try Clock.measure {
                records = try queue.read { try Record.fetchAll($0) }
                for record in records { sum &+= record.sum }
            }
            return (time, sum)
        }

        static func lookUp<Record: ItemRecord>(_: Record.Type, _ path: String) throws -> (Double, Int64) {
            let queue = try open(path)
            let keys = LookUps.keys
            var sum: Int64 = 0
            let time = try Clock.measure {
                try queue.read { database in
                    for key in keys { sum &+= try Record.fetchOne(database, key: key)?.sum ?? 0 }
                }
            }
            return (time, sum)
        }

        static func walk<Record: ItemRecord>(_: Record.Type, _ path: String) throws -> (Double, Int64) {
            let queue = try open(path)
            var sum: Int64 = 0
            let time = try Clock.measure {
                try queue.read { database in
                    let keys = try Int64.fetchAll(database, sql: "SELECT Z_PK FROM ZITEM")
                    for start in stride(from: 0, to: keys.count, by: 500) {
                        let batch = keys[start..<start + 500]
                        for record in try Record.fetchAll(database, keys: batch) { sum &+= record.first }
                    }
                }
            }
            return (time, sum)
        }
    }
#endif
