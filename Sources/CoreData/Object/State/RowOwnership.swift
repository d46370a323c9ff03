// The owner of the memory that an object's values lie in.

/// The share that an object has in its row, and which of its two rows, the current and the committed one, are its own memory.
///
/// The raw values are the bits of the word that `ObjectState` keeps; every other combination of these bits is a mistake.
enum RowOwnership: UInt32, CaseIterable {
    /// The current row is the committed one, in a slab that others share; or the entity's row of nulls.
    case shared = 0
    /// The values are not there yet.
    case fault = 0b0_0001_0000_0000
    /// A fault whose row is at hand: firing it costs no request to the store.
    case faultWithRow = 0b0_0011_0000_0000
    /// A fault that no context fills, because it was forgotten, with values that were set since.
    case faultChanged = 0b0_0101_0000_0000
    /// The current row is memory of the object's own that differs from the committed one, if there is any.
    case changed = 0b0_0100_0000_0000
    /// The current row is the committed one, and both are the object's own memory, left by an earlier save.
    case saved = 0b0_1000_0000_0000
    /// Both are the object's own memory, and differ.
    case changedSinceSave = 0b0_1100_0000_0000
    /// The row behind the fault couldn't be read: every value shows nil until the object is refreshed. The context has
    /// the error and saves nothing.
    case unreadable = 0b1_0000_0000_0000
    /// The same with values that were set since.
    case unreadableChanged = 0b1_0100_0000_0000

    enum Bit {
        static var fault: UInt32 { 1 << 8 }
        static var row: UInt32 { 1 << 9 }
        static var ownsRow: UInt32 { 1 << 10 }
        static var ownsCommitted: UInt32 { 1 << 11 }
        static var unreadable: UInt32 { 1 << 12 }
        static var all: UInt32 { 0x1F00 }
    }
}

extension RowOwnership {
    /// Everything that may happen to an object's rows.
    enum Step: CaseIterable {
        /// A fetch leaves the row of a fault.
        case arrival
        /// The fault fires.
        case firing
        /// The fault shows nil, because its row is gone.
        case emptying
        /// The fault shows nil, because its row couldn't be read.
        case failure
        /// The row that couldn't be read was read.
        case recovery
        /// The first change copies the row.
        case copying
        /// The object that owned nothing gets a row of its own, which nobody has saved.
        case replacement
        /// The changes are dropped.
        case reverting
        /// A save makes the current row the committed one.
        case commit
        /// A save changes the version of a row that others share, so that the object gets a copy.
        case stamping
        /// The committed row is dropped: the next save writes all of the current one.
        case committedLoss
        /// Memory that the object owned is freed.
        case release
        /// The values are dropped, to be read again.
        case faulting
    }
}

extension RowOwnership.Step: StateStep {
    @inline(__always)
    var clears: UInt32 {
        typealias Bit = RowOwnership.Bit
        return switch self {
        case .arrival, .copying, .stamping: 0
        case .firing, .emptying, .failure: Bit.fault | Bit.row
        case .recovery: Bit.unreadable
        case .replacement, .faulting: Bit.all
        case .reverting, .commit: Bit.ownsRow
        case .committedLoss: Bit.ownsCommitted
        case .release: Bit.ownsRow | Bit.ownsCommitted
        }
    }

    @inline(__always)
    var sets: UInt32 {
        typealias Bit = RowOwnership.Bit
        return switch self {
        case .arrival: Bit.row
        case .firing, .emptying, .recovery, .reverting, .committedLoss, .release: 0
        case .failure: Bit.unreadable
        case .copying, .replacement: Bit.ownsRow
        case .commit, .stamping: Bit.ownsCommitted
        case .faulting: Bit.fault
        }
    }

    /// The cases in which the step may start.
    var origins: Set<RowOwnership> {
        switch self {
        case .arrival, .emptying, .failure: [.fault, .faultWithRow]
        case .firing: [.faultWithRow]
        case .recovery, .release: Set(RowOwnership.allCases)
        case .copying: [.shared, .saved, .unreadable, .fault]
        case .replacement, .faulting: [.shared, .fault, .faultWithRow, .unreadable]
        case .reverting: [.changed, .changedSinceSave, .unreadableChanged]
        case .commit: [.changed, .changedSinceSave]
        case .stamping: [.shared]
        case .committedLoss: [.changed, .changedSinceSave]
        }
    }
}
