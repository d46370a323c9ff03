// Archives of predicates and sort descriptors.

import CoreDataPredicate
import CoreDataSupport
public import Foundation

extension NSPredicate: @retroactive NSSecureCoding {
    /// Archives hold no classes but those that are expected.
    public static var supportsSecureCoding: Bool { true }

    /// Archives the predicate's structure. Closures and objects in it stop the process, as on Apple's
    /// systems.
    public func encode(with coder: NSCoder) {
        TreeArchive.encode(tree, with: coder)
    }
}

extension PredicateInitializing {
    /// Reads a predicate from an archive; nil, with the coder's error set, when it is none of ours.
    public init?(coder: NSCoder) {
        guard let tree = TreeArchive.predicate(from: coder) else { return nil }
        guard let predicate = NSPredicate.make(tree) as? Self else { return nil }
        self = predicate
    }
}

extension NSSortDescriptor: @retroactive NSSecureCoding {
    /// Archives hold no classes but those that are expected.
    public static var supportsSecureCoding: Bool { true }

    /// Archives key, direction and comparison. A descriptor with a closure, or with a key path that has no
    /// name, stops the process.
    public func encode(with coder: NSCoder) {
        guard let key = sortKey else {
            raise(.invalidArgument, "\(self) can't be archived: it compares by a closure or has no key")
        }
        coder.encode(key.keyPath as NSString, forKey: "NSKey")
        coder.encode(key.ascending, forKey: "NSAscending")
        coder.encode(key.comparison.rawValue as NSString, forKey: "NSSelector")
    }
}

extension SortInitializing {
    /// Reads a sort descriptor from an archive; nil when it is broken.
    public init?(coder: NSCoder) {
        guard let key = coder.decodeObject(of: NSString.self, forKey: "NSKey"),
            let name = coder.decodeObject(of: NSString.self, forKey: "NSSelector"),
            let comparison = SortComparison(rawValue: name as String)
        else { return nil }
        let ascending = coder.decodeBool(forKey: "NSAscending")
        let descriptor = KeySortDescriptor(
            SortKey(key as String, ascending: ascending, comparison: comparison))
        guard let descriptor = descriptor as? Self else { return nil }
        self = descriptor
    }
}
