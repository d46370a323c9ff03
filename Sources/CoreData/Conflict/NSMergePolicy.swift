// The treatment of rows that another writer changed before a save.

public import Foundation

/// The kinds of merge policies, with Apple's raw values.
public enum NSMergePolicyType: UInt, Sendable {
    /// A conflict fails the save.
    case errorMergePolicyType = 0
    /// Values that changed on both sides become the store's.
    case mergeByPropertyStoreTrumpMergePolicyType = 1
    /// Values that changed on both sides become the context's.
    case mergeByPropertyObjectTrumpMergePolicyType = 2
    /// The whole row becomes the context's.
    case overwriteMergePolicyType = 3
    /// The whole object becomes the store's.
    case rollbackMergePolicyType = 4
}

/// The way in which a context resolves conflicts between its changes and the store's rows.
///
/// A save that meets conflicts hands them to the policy of its context, then tries again; it fails with what the
/// policy throws. A subclass may let `super` resolve a list and change the objects afterwards, or change them alone:
/// what they hold when it returns is what is saved. The stores are not locked meanwhile.
///
/// Unchecked because a policy holds only its type, set once.
///
/// ```swift
/// context.mergePolicy = NSMergePolicy(merge: .mergeByPropertyStoreTrumpMergePolicyType)
/// ```
open class NSMergePolicy: NSObject, @unchecked Sendable {
    /// The kind of policy.
    open var mergeType: NSMergePolicyType { type }
    private let type: NSMergePolicyType

    /// A policy of a kind; subclasses call it with the kind that `super` shall resolve as.
    public init(merge type: NSMergePolicyType) {
        self.type = type
        super.init()
    }

    /// Resolves conflicts of either kind, `NSMergeConflict`s or `NSConstraintConflict`s, as the type says.
    ///
    /// - Throws: `NSManagedObjectMergeError` or `NSManagedObjectConstraintMergeError` with the error policy's
    ///   type.
    open func resolve(mergeConflicts list: [Any]) throws {
        try resolveLocking(list.compactMap { $0 as? NSMergeConflict })
        try resolveConstraints(list.compactMap { $0 as? NSConstraintConflict })
    }

    /// Called by a save with the objects whose rows changed since they were read. Calls `resolve(mergeConflicts:)`
    /// unless overridden.
    ///
    /// - Throws: what `resolve(mergeConflicts:)` throws. The save throws it too, and writes nothing.
    open func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
        try resolve(mergeConflicts: list)
    }

    /// Called by a save with the values that are not unique.
    ///
    /// - Throws: `NSManagedObjectConstraintMergeError` where the type doesn't resolve them. The save throws
    ///   it too, and writes nothing.
    open func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
        try resolveConstraints(list)
    }

    /// A conflict fails the save.
    open class var error: NSMergePolicy { .shared[0] }
    /// Values that changed on both sides become the store's.
    open class var mergeByPropertyStoreTrump: NSMergePolicy { .shared[1] }
    /// Values that changed on both sides become the context's.
    open class var mergeByPropertyObjectTrump: NSMergePolicy { .shared[2] }
    /// The whole row becomes the context's.
    open class var overwrite: NSMergePolicy { .shared[3] }
    /// The whole object becomes the store's.
    open class var rollback: NSMergePolicy { .shared[4] }

    private static let shared = [
        NSMergePolicy(merge: .errorMergePolicyType),
        NSMergePolicy(merge: .mergeByPropertyStoreTrumpMergePolicyType),
        NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType),
        NSMergePolicy(merge: .overwriteMergePolicyType),
        NSMergePolicy(merge: .rollbackMergePolicyType),
    ]
}

/// A conflict fails the save.
public var NSErrorMergePolicy: NSMergePolicy { .error }
/// Values that changed on both sides become the store's.
public var NSMergeByPropertyStoreTrumpMergePolicy: NSMergePolicy { .mergeByPropertyStoreTrump }
/// Values that changed on both sides become the context's.
public var NSMergeByPropertyObjectTrumpMergePolicy: NSMergePolicy { .mergeByPropertyObjectTrump }
/// The whole row becomes the context's.
public var NSOverwriteMergePolicy: NSMergePolicy { .overwrite }
/// The whole object becomes the store's.
public var NSRollbackMergePolicy: NSMergePolicy { .rollback }
