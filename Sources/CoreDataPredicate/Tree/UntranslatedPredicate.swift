// The reason why a predicate object came into a tree as a block.

/// A predicate that can be evaluated in memory only, and says what in it is in the way of more.
package protocol UntranslatedPredicate: AnyObject {
    /// The part that has no form in the predicate language; nil when there is none.
    var obstacle: String? { get }
}
