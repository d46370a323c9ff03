// `hero.powers = [one, other]` of a property that is an `NSSet?`. Apple's overlay of Foundation makes sets of literals, as
// Foundation itself does off Apple's systems with arrays and ordered sets.

public import Foundation

extension NSSet: @retroactive ExpressibleByArrayLiteral {}

extension ExpressibleByArrayLiteral where Self: NSSet {
    /// Makes a set of the elements of a literal. It is an `NSMutableSet`, which a literal of either type may be.
    ///
    /// Don't write an `NSCountedSet` as a literal, which would get a set that isn't one.
    public init(arrayLiteral elements: Any...) {
        // Swift takes an initialiser that isn't `required` so.
        self = NSMutableSet(array: elements) as! Self  // NSSet, whatever subclass the literal is for
    }
}
