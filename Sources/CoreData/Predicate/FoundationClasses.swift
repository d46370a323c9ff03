// Foundation's classes that this module completes, under its own name too: a file that imports both modules finds one
// class by either, and none of the warnings that Foundation gives for it.

public import Foundation

/// An expression of the predicate language: a constant, a key path, a function of other expressions.
///
/// Foundation off Apple's systems declares the class and nothing that it can do; the initialisers and parts are here.
/// Differs from Apple's in that it can't be subclassed: a closure of the client's is `init(block:arguments:)`.
public typealias NSExpression = Foundation.NSExpression

/// A predicate that compares the values of two expressions.
///
/// Foundation off Apple's systems declares the class and nothing that it can do; the initialisers and parts are here.
/// Differs from Apple's in that it can't be subclassed.
public typealias NSComparisonPredicate = Foundation.NSComparisonPredicate
