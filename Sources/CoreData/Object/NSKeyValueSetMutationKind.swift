// Set mutations as key-value observing names them; Foundation has the type on Apple's systems only.

/// The kind of the coming change of a to-many relationship's set.
public enum NSKeyValueSetMutationKind: UInt, Sendable {
    /// Members are added.
    case union = 1
    /// Members are removed.
    case minus = 2
    /// Only members of another set stay.
    case intersect = 3
    /// The whole set is replaced.
    case set = 4
}

extension NSManagedObject {
    final func beginMutation(
        forKey inKey: String, withSetMutation inMutationKind: NSKeyValueSetMutationKind,
        using inObjects: Set<AnyHashable>
    ) {
        if state.traits.contains(.observed), let observers = extras?.observers {
            let objects = inObjects.compactMap { $0.base as? NSManagedObject }
            switch inMutationKind {
            case .union: observers.mutation = .insertion(objects, at: nil)
            case .minus: observers.mutation = .removal(objects, at: nil)
            case .intersect, .set: break
            }
        }
        willChangeValue(forKey: inKey)
    }

    final func endMutation(
        forKey inKey: String, withSetMutation inMutationKind: NSKeyValueSetMutationKind,
        using inObjects: Set<AnyHashable>
    ) {
        let changed = inObjects.compactMap { $0.base as? NSManagedObject }
        endAnnouncedChange(
            of: inKey, changed: [.union, .minus].contains(inMutationKind) ? changed : nil)
        completeAnnouncedChange(of: inKey)
    }
}
