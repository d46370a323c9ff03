// The life of a managed object as a state machine: where an object stands between its insertion and its removal, and
// which steps lead from there to where.

/// The place of an object in its life.
///
/// The raw values are the bits of the word that `ObjectState` keeps; every other combination of these bits is a mistake.
enum Lifecycle: UInt32, CaseIterable {
    /// As the level below has it, or of no context.
    case unchanged = 0
    /// Never saved.
    case inserted = 0b0000_0001
    /// Saved before and changed since.
    case updated = 0b0000_0010

    /// To be deleted by the next save. Delete rules are yet to be applied.
    case deleted = 0b0000_0100
    case deletedInserted = 0b0000_0101
    case deletedUpdated = 0b0000_0110
    /// The same once delete rules have been applied.
    case deletedByRules = 0b0000_1100
    case deletedInsertedByRules = 0b0000_1101
    case deletedUpdatedByRules = 0b0000_1110

    /// Deleted by a save elsewhere that was merged: the next save has nothing to do but to let the object go.
    case deletedElsewhere = 0b0001_1100
    case deletedInsertedElsewhere = 0b0001_1101

    /// Deleted and saved, or a new object whose deletion ended its event.
    case removed = 0b0010_1100
    case removedElsewhere = 0b0011_1100
    /// Out of the context without a deletion: its insertion was rolled back.
    case discarded = 0b0010_0000
    /// The row behind the fault is gone: the object shows nil, counts as deleted, and stays in its context.
    case inaccessible = 0b0110_1100
    case inaccessibleElsewhere = 0b0111_1100
    /// A fault that no context fills, because it was reset, or the object was new when it was refreshed.
    case forgotten = 0b1010_0000

    /// The bits in order, each of which means the same in every case that has it.
    enum Bit {
        static var inserted: UInt32 { 1 << 0 }
        static var updated: UInt32 { 1 << 1 }
        static var deleted: UInt32 { 1 << 2 }
        static var rulesApplied: UInt32 { 1 << 3 }
        static var elsewhere: UInt32 { 1 << 4 }
        static var gone: UInt32 { 1 << 5 }
        static var inaccessible: UInt32 { 1 << 6 }
        static var forgotten: UInt32 { 1 << 7 }
        static var all: UInt32 { 0xFF }
    }
}

extension Lifecycle {
    /// Everything that may happen to an object.
    enum Step: CaseIterable {
        /// The object enters its context as a new one.
        case insertion
        /// A property of a saved object changes.
        case change
        /// The object has no change any more: values are as saved, or dropped.
        case changeLoss
        /// A client or a delete rule deletes the object.
        case deletion
        /// Delete rules are applied, or needn't be.
        case rules
        /// Delete rules must be applied again: they looked at what couldn't be read.
        case ruleRenewal
        /// The deletion is taken back.
        case restoration
        /// A deletion by another context is merged.
        case mergedDeletion
        /// A save wrote the object's values.
        case commit
        /// The deleted object leaves its context.
        case removal
        /// The object leaves its context as if it had never been there.
        case discarding
        /// All changes are dropped, an insertion and a deletion too.
        case reversion
        /// The store turns out to have no row.
        case disappearance
        /// The row is gone, and the next save writes it anew.
        case resurrection
        /// Somebody else has written the row anew: the object is one that is saved already.
        case rediscovery
        /// The context forgets the object.
        case forgetting
        /// An object that was gone begins a new life, as one of which nothing is known yet.
        case renewal
    }
}

extension Lifecycle.Step: StateStep {
    @inline(__always)
    var clears: UInt32 {
        typealias Bit = Lifecycle.Bit
        return switch self {
        case .insertion, .discarding, .reversion, .forgetting, .renewal: Bit.all
        case .change, .deletion, .rules: 0
        case .changeLoss: Bit.updated
        case .ruleRenewal: Bit.rulesApplied
        case .restoration: Bit.deleted | Bit.rulesApplied
        case .mergedDeletion, .resurrection: Bit.updated
        case .rediscovery: Bit.inserted
        case .commit, .removal, .disappearance: Bit.inserted | Bit.updated
        }
    }

    @inline(__always)
    var sets: UInt32 {
        typealias Bit = Lifecycle.Bit
        return switch self {
        case .insertion, .resurrection: Bit.inserted
        case .change, .rediscovery: Bit.updated
        case .changeLoss, .ruleRenewal, .restoration, .commit, .reversion, .renewal: 0
        case .deletion: Bit.deleted
        case .rules: Bit.rulesApplied
        case .mergedDeletion: Bit.deleted | Bit.rulesApplied | Bit.elsewhere
        case .removal: Bit.deleted | Bit.rulesApplied | Bit.gone
        case .discarding: Bit.gone
        case .disappearance: Bit.deleted | Bit.rulesApplied | Bit.gone | Bit.inaccessible
        case .forgetting: Bit.gone | Bit.forgotten
        }
    }

    /// The cases in which the step may start.
    var origins: Set<Lifecycle> {
        switch self {
        case .insertion: Lifecycle.outside.union([.unchanged, .inaccessible, .inaccessibleElsewhere])
        case .change: Lifecycle.saved
        case .changeLoss: Lifecycle.allSet.subtracting(Lifecycle.new)
        case .deletion: [.unchanged, .inserted, .updated]
        case .rules: [.deleted, .deletedInserted, .deletedUpdated]
        case .ruleRenewal: [.deletedByRules, .deletedInsertedByRules, .deletedUpdatedByRules]
        case .restoration: Lifecycle.present.subtracting([.deletedElsewhere, .deletedInsertedElsewhere])
        case .mergedDeletion: Lifecycle.present.union([.inaccessible, .inaccessibleElsewhere])
        case .commit: [.unchanged, .inserted, .updated]
        case .removal:
            Lifecycle.present.subtracting([.unchanged, .inserted, .updated])
                .union([.inaccessible, .inaccessibleElsewhere])
        case .discarding: Lifecycle.new.union([.unchanged])
        case .reversion: Lifecycle.present
        case .disappearance: Lifecycle.allSet.subtracting(Lifecycle.new).subtracting([.forgotten])
        case .resurrection: [.unchanged, .updated]
        case .rediscovery: [.inserted, .deletedInserted, .deletedInsertedByRules]
        case .forgetting, .renewal: Lifecycle.allSet
        }
    }
}

extension Lifecycle {
    fileprivate static let allSet = Set(allCases)
    /// Out of the context, or a fault that nobody fills.
    private static let gone = allSet.filter { $0.rawValue & Bit.gone != 0 }
    fileprivate static let present = allSet.subtracting(gone)
    /// Gone for whoever asks the context.
    fileprivate static let outside = gone.subtracting([.inaccessible, .inaccessibleElsewhere])
    /// Never saved.
    fileprivate static let new = allSet.filter { $0.rawValue & Bit.inserted != 0 }
    /// Known to the level below, and not deleted by others.
    fileprivate static let saved = present.subtracting(new).subtracting([.deletedElsewhere])
}
