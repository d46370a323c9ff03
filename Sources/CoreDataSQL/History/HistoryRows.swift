// Rows of persistent history as values.

package import Foundation

/// The row of ATRANSACTION about one transaction.
package struct HistoryTransactionRow: Sendable, Hashable {
    package var number: Int64
    /// Seconds since 2001.
    package var timestamp: Double
    package var texts: [HistoryLayout.Text: String]

    package init(number: Int64, timestamp: Double, texts: [HistoryLayout.Text: String]) {
        self.number = number
        self.timestamp = timestamp
        self.texts = texts
    }
}

/// The row of ACHANGE about one changed row.
package struct HistoryChangeRow: Sendable, Hashable {
    package enum Kind: Int64, Sendable {
        case insert = 0
        case update = 1
        case delete = 2
    }

    /// Z_PK of the change itself; 0 for one that isn't written yet.
    package var number: Int64
    package var kind: Kind
    /// Z_ENT and Z_PK of the row that changed.
    package var entity: Int64
    package var primaryKey: Int64
    /// The bitmap of an update's properties.
    package var columns: Data?
    /// Values that outlive a deleted row.
    package var tombstones: [SQLBinding]

    package init(
        number: Int64 = 0, kind: Kind, entity: Int64, primaryKey: Int64, columns: Data? = nil,
        tombstones: [SQLBinding] = []
    ) {
        self.number = number
        self.kind = kind
        self.entity = entity
        self.primaryKey = primaryKey
        self.columns = columns
        self.tombstones = tombstones
    }
}

/// The properties that an update changed: a bit for each, the first in the most
/// significant bit of the first byte.
package enum HistoryBitmap {
    package static func data(_ positions: some Sequence<Int>, count: Int) -> Data {
        var data = Data(count: (count + 7) / 8)
        for position in positions where position >= 0 && position < count {
            data[position / 8] |= 0x80 >> UInt8(position % 8)
        }
        return data
    }

    package static func positions(_ data: Data) -> [Int] {
        data.enumerated().flatMap { index, byte in
            (0..<8).filter { byte & (0x80 >> UInt8($0)) != 0 }.map { index * 8 + $0 }
        }
    }
}
