// The members of a to-many relationship as Foundation's sets.

import CoreDataSchema
import Foundation

extension ToMany {
    /// A fresh `NSSet` or `NSOrderedSet` with the members of this moment.
    var foundationSet: NSObject {
        relation.isOrdered ? NSOrderedSet(array: objects) : NSSet(array: objects)
    }

    /// The members that the store has, as `committedValues(forKeys:)` gives them.
    var committedSet: NSObject {
        read()
        if relation.isOrdered {
            let known = Dictionary(
                (members + Array(removed)).map { (ObjectIdentifier($0), $0) },
                uniquingKeysWith: { first, _ in first })
            return NSOrderedSet(array: committedOrder.compactMap { known[$0] })
        }
        let new = Set(added.map(ObjectIdentifier.init))
        return NSSet(array: members.filter { !new.contains(ObjectIdentifier($0)) } + Array(removed))
    }

    /// The members before the current event, if it changed them. Members that were never read are taken as the
    /// store has them.
    var setBeforeEvent: NSObject? {
        guard isChangedInEvent else { return nil }
        if let eventLog { return NSSet(array: eventLog.change.undone(in: objects)) }
        guard let membersBeforeEvent else { return committedSet }
        return relation.isOrdered ? NSOrderedSet(array: membersBeforeEvent) : NSSet(array: membersBeforeEvent)
    }
}
