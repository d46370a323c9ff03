// The one funnel for broken contracts: where Apple's framework raises an Objective-C exception, which Swift
// can't catch, the process stops here with the exception's name and a sentence that says what to do.

/// Names of the exceptions that Apple's framework raises.
package enum ExceptionName: String, Sendable {
    case invalidArgument = "NSInvalidArgumentException"
    case internalInconsistency = "NSInternalInconsistencyException"
    case undefinedKey = "NSUnknownKeyException"
    case range = "NSRangeException"
    case objectInaccessible = "NSObjectInaccessibleException"
    case generic = "NSGenericException"
    /// Not an exception on Apple's systems, but the name of the function that stops the process there.
    case multithreadingViolation = "__Multithreading_Violation_AllThatIsLeftToUsIsHonor__"
}

/// Stops the process because the caller broke the contract. Never reached by input from outside: that is what
/// `raise(_:_:instead:)` is for.
package func raise(_ name: ExceptionName, _ reason: String) -> Never {
    raise(exception: name.rawValue, reason)
}

/// The same for an exception of a client's own, by its name.
package func raise(exception name: String, _ reason: String) -> Never {
    fatalError("Terminating due to \(name): \(reason)")
}

/// The same where input or the state of a store can lead to it, because nothing can be thrown: names what throws instead.
/// `Scripts/traps` holds these against the table in Docs/Errors.md.
package func raise(_ name: ExceptionName, _ reason: String, instead twin: String) -> Never {
    raise(name, "\(reason); \(twin) throws this as an error")
}

/// Checks an invariant of our own in debug builds.
@inlinable
package func invariant(
    _ condition: @autoclosure () -> Bool, _ message: @autoclosure () -> String,
    file: StaticString = #fileID, line: UInt = #line
) {
    assert(condition(), message(), file: file, line: line)
}
