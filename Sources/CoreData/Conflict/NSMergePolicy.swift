// What happens when a save meets rows that another writer changed.

public import Foundation

/// The kinds of merge policies, with Apple's raw values.
public enum NSMergePolicyType: UInt, Sendable {
    case errorMergePolicyType = 0
    case mergeByPropertyStoreTrumpMergePolicyType = 1
    case mergeByPropertyObjectTrumpMergePolicyType = 2
    case overwriteMergePolicyType = 3
    case rollbackMergePolicyType = 4
}

/// How a context resolves conflicts between its changes and the store's rows.
///
/// Unchecked because a policy holds only its type, set once.
open class NSMergePolicy: NSObject, @unchecked Sendable {
    /// The kind of policy.
    public final let mergeType: NSMergePolicyType

    public init(merge type: NSMergePolicyType) {
        mergeType = type
        super.init()
    }

    /// A conflict fails the save.
    public class var error: NSMergePolicy { .shared[0] }
    /// Values that changed on both sides become the store's.
    public class var mergeByPropertyStoreTrump: NSMergePolicy { .shared[1] }
    /// Values that changed on both sides become the context's.
    public class var mergeByPropertyObjectTrump: NSMergePolicy { .shared[2] }
    /// The whole row becomes the context's.
    public class var overwrite: NSMergePolicy { .shared[3] }
    /// The whole object becomes the store's.
    public class var rollback: NSMergePolicy { .shared[4] }

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

/// One object whose row isn't as its context saw it.
open class NSMergeConflict: NSObject {
    /// The object with the context's values.
    public final let sourceObject: NSManagedObject
    /// The values that the context last read, without its changes.
    public final let objectSnapshot: [String: Any]?
    /// Values of an intermediate holder; `nil` here, where contexts read the store itself.
    public final let cachedSnapshot: [String: Any]?
    /// The values that the store has now; `nil` if the row is gone.
    public final let persistedSnapshot: [String: Any]?
    /// The version that the store has now; 0 if the row is gone.
    public final let newVersionNumber: Int
    /// The version that the context last read.
    public final let oldVersionNumber: Int

    public init(
        source srcObject: NSManagedObject, newVersion newvers: Int, oldVersion oldvers: Int,
        cachedSnapshot cachesnap: [String: Any]?, persistedSnapshot persnap: [String: Any]?
    ) {
        sourceObject = srcObject
        objectSnapshot = srcObject.isFault ? nil : srcObject.committedValues(forKeys: nil)
        cachedSnapshot = cachesnap
        persistedSnapshot = persnap
        newVersionNumber = newvers
        oldVersionNumber = oldvers
        super.init()
    }
}
