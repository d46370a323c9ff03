// The results that a fetch can return.

public import Foundation

/// A result that a fetch can return: a managed object, an object ID, a dictionary or a number.
///
/// A marker, because only a marker lets `NSFetchRequest<any NSFetchRequestResult>` be written, as code for
/// Apple's systems does.
@_marker public protocol NSFetchRequestResult: AnyObject {}

extension NSNumber: NSFetchRequestResult {}
extension NSDictionary: NSFetchRequestResult {}

/// The type of the results that a fetch request returns.
public struct NSFetchRequestResultType: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// Managed objects. The default.
    public static var managedObjectResultType: NSFetchRequestResultType { .init(rawValue: 0) }
    /// Object IDs.
    public static var managedObjectIDResultType: NSFetchRequestResultType { .init(rawValue: 1) }
    /// Dictionaries of the values in the store.
    public static var dictionaryResultType: NSFetchRequestResultType { .init(rawValue: 2) }
    /// One number: how many objects there are.
    public static var countResultType: NSFetchRequestResultType { .init(rawValue: 4) }
}
