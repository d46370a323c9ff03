// Sets by array literals: Foundation off Apple's systems has them for Swift's sets only, and code that adds to
// relationships writes them.

public import Foundation

/// What `NSSet` conforms to, so that a literal can make objects of its subclasses. Nothing else should conform.
public protocol SetInitializing {}

extension NSSet: SetInitializing {}

extension SetInitializing where Self: NSSet {
    /// A set of the elements of a literal.
    public init(arrayLiteral elements: Any...) {
        let made: NSSet =
            if Self.self == NSMutableSet.self {
                NSMutableSet(array: elements)
            } else if Self.self == NSCountedSet.self {
                NSCountedSet(array: elements)
            } else {
                NSSet(array: elements)
            }
        self = unsafeDowncast(made, to: Self.self)
    }
}

extension NSSet: @retroactive ExpressibleByArrayLiteral {}
