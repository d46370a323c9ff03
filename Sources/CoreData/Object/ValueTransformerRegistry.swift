// The transformers of a process by name, with those that are there from the start.

import CoreDataSupport
import Foundation
import Synchronization

/// The registered transformers.
enum ValueTransformerRegistry {
    /// Unchecked because the table behind the lock only hands transformers on; they say themselves that they may
    /// be called on any thread.
    private struct Entry: @unchecked Sendable {
        let transformer: ValueTransformer
    }

    private static let table = Mutex<[NSValueTransformerName: Entry]>([
        .negateBooleanTransformerName: Entry(transformer: NegateBooleanTransformer()),
        .isNilTransformerName: Entry(transformer: IsNilTransformer(nilGives: true)),
        .isNotNilTransformerName: Entry(transformer: IsNilTransformer(nilGives: false)),
        .keyedUnarchiveFromDataTransformerName: Entry(transformer: KeyedUnarchiveTransformer()),
        .secureUnarchiveFromDataTransformerName: Entry(transformer: NSSecureUnarchiveFromDataTransformer()),
    ])

    /// The number of loaded images in which no class of a name was found.
    private static let missing = Mutex<[NSValueTransformerName: Int]>([:])

    /// The transformer that is registered under a name. If none is, and the name is that of a class, one of that class is made and
    /// registered.
    static func transformer(_ name: NSValueTransformerName) -> ValueTransformer? {
        if let known = table.withLock({ $0[name] }) { return known.transformer }
        return made(name)
    }

    /// A search reads the names of all classes, so a name without a class is looked for again only when more code was loaded.
    private static func made(_ name: NSValueTransformerName) -> ValueTransformer? {
        let images = LoadedClasses.imageCount
        if missing.withLock({ $0[name] == images }) { return nil }
        guard let found = LoadedClasses.denoted(by: name.rawValue, below: ValueTransformer.self) else {
            missing.withLock { $0[name] = images }
            return nil
        }
        let entry = Entry(transformer: found.makeByMetatype())
        return table.withLock { table in
            let first = table[name] ?? entry
            table[name] = first
            return first
        }.transformer
    }

    static func set(_ transformer: ValueTransformer?, name: NSValueTransformerName) {
        let entry = transformer.map(Entry.init(transformer:))
        table.withLock { $0[name] = entry }
    }

    static var names: [NSValueTransformerName] {
        table.withLock { Array($0.keys) }.sorted { $0.rawValue < $1.rawValue }
    }
}

extension ValueTransformer {
    /// Returns the answer of a transformer that overrides only one direction, in the other.
    final func reverseOrRaise(_ value: Any?) -> Any? {
        guard Self.allowsReverseTransformation() else {
            raise(.invalidArgument, "\(Self.self) does not allow reverse transformation")
        }
        return transformedValue(value)
    }
}

/// `NSNegateBoolean`.
private final class NegateBooleanTransformer: ValueTransformer {
    override class func transformedValueClass() -> AnyClass { NSNumber.self }

    override func transformedValue(_ value: Any?) -> Any? {
        NSNumber(value: !((value as? NSNumber)?.boolValue ?? false))
    }
}

/// `NSIsNil` and `NSIsNotNil`.
private final class IsNilTransformer: ValueTransformer {
    private let nilGives: Bool

    init(nilGives: Bool) {
        self.nilGives = nilGives
        super.init()
    }

    override class func transformedValueClass() -> AnyClass { NSNumber.self }
    override class func allowsReverseTransformation() -> Bool { false }

    override func transformedValue(_ value: Any?) -> Any? {
        NSNumber(value: (value == nil) == nilGives)
    }
}
