// Registers the collations that our ORDER BY clauses name.

import CSQLite
import CoreDataSQL
import Foundation

extension Connection {
    func register(_ collation: SQLCollation) throws {
        let box = Unmanaged.passRetained(CollationBox(collation)).toOpaque()
        let code = sqlite3_create_collation_v2(
            handle, collation.rawValue, SQLITE_UTF8, box, compareTexts,
            { box in
                if let box { Unmanaged<CollationBox>.fromOpaque(box).release() }
            })
        if code != SQLITE_OK {
            // Unlike for functions, SQLite doesn't call the destructor when this fails.
            Unmanaged<CollationBox>.fromOpaque(box).release()
            throw failure(code)
        }
    }
}

private final class CollationBox {
    let collation: SQLCollation

    init(_ collation: SQLCollation) {
        self.collation = collation
    }
}

private func compareTexts(
    _ box: UnsafeMutableRawPointer?, firstCount: Int32, first: UnsafeRawPointer?, secondCount: Int32,
    second: UnsafeRawPointer?
) -> Int32 {
    guard let box else { return 0 }
    let first = UnsafeRawBufferPointer(start: first, count: Int(firstCount))
    let second = UnsafeRawBufferPointer(start: second, count: Int(secondCount))
    // Equal bytes are equal texts in every collation.
    if first.elementsEqual(second) { return 0 }
    let collation = Unmanaged<CollationBox>.fromOpaque(box).takeUnretainedValue().collation
    let result = collation.compare(
        String(decoding: first, as: UTF8.self), with: String(decoding: second, as: UTF8.self))
    return Int32(result.rawValue)
}
