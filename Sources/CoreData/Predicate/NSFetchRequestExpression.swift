// A fetch request used as a value in a predicate.

/// An expression whose value is the result of a fetch request, or its count.
open class NSFetchRequestExpression: NSExpression {
}
