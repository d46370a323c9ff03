// The values that the triggers of derived attributes report.

import CoreDataSQL
import Synchronization

/// The values that triggers reported since they were last taken.
final class DerivedLog: Sendable {
    private let values = Mutex<[DerivedValue]>([])
    private let keeping = Mutex(true)

    /// Indicates whether values that triggers report are kept.
    var isKeeping: Bool {
        get { keeping.withLock { $0 } }
        set { keeping.withLock { $0 = newValue } }
    }

    func take() -> [DerivedValue] {
        values.withLock { values in
            defer { values = [] }
            return values
        }
    }

    /// Those from a position on; they stay.
    func values(from position: Int) -> ArraySlice<DerivedValue> {
        values.withLock { $0.dropFirst(position) }
    }

    /// Reads (table, Z_ENT, Z_PK, name, value).
    func report(_ arguments: [SQLBinding]) {
        guard isKeeping, arguments.count == 5,
            case .integer(let entity) = arguments[1],
            case .integer(let primaryKey) = arguments[2], case .text(let property) = arguments[3]
        else { return }
        let key = ObjectKey(entity: Int(entity), primaryKey: primaryKey)
        values.withLock {
            $0.append(DerivedValue(key: key, property: property, value: arguments[4]))
        }
    }
}
