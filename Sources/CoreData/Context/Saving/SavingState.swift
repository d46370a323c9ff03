// The part of a context that knows how far a save is.

/// The things that a context keeps for its saves, and of the one that is under way.
struct SavingState {
    /// Indicates that a save writes, or prepares to.
    var isUnderWay = false
    /// Indicates that a save is under way that isn't written yet.
    var refusesAnother = false
    /// Indicates that saves leave validation to the caller: a migration whose objects aren't whole yet.
    var isUnvalidated = false
    /// Objects whose rows the next save checks, changed or not.
    var conflictChecked: [NSManagedObject] = []
    /// While a save is under way: the new objects that it told observers of, and the set that they were told of, which
    /// the save's own notification may use again.
    var announced: (objects: [NSManagedObject], set: NotificationSet)?
    /// The place of the stores' histories after the save that is under way, if a store keeps one.
    var history: NSPersistentHistoryToken?
    /// Objects whose rows others deleted and that a save writes anew, each with the row that it had.
    private var writtenAnew: [ObjectIdentifier: (object: NSManagedObject, row: RowCopy)] = [:]

    mutating func note(writtenAnew object: NSManagedObject, row: RowCopy) {
        writtenAnew[ObjectIdentifier(object)] = (object, row)
    }

    /// Returns the row that an object had before others deleted it, once.
    mutating func takeFormerRow(of object: NSManagedObject) -> RowCopy? {
        if writtenAnew.isEmpty { return nil }
        return writtenAnew.removeValue(forKey: ObjectIdentifier(object))?.row
    }

    /// Nothing is to be written anew any more.
    mutating func forgetWrittenAnew() {
        if !writtenAnew.isEmpty { writtenAnew = [:] }
    }
}
