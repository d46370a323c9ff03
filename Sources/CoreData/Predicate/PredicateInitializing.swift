// The initialisers that give `NSPredicate` objects of our classes.

import CoreDataPredicate
import CoreDataSupport
public import Foundation

/// A protocol of `NSPredicate` that lets its initialisers return our subclasses: an initialiser of a class
/// can't replace the object, one of a protocol can. Nothing else should conform.
public protocol PredicateInitializing {}

extension NSPredicate: PredicateInitializing {}

extension PredicateInitializing {
    /// A predicate from its format.
    ///
    /// `args` fill the format's `%` specifiers in order: `%@` takes any value, a predicate or an expression,
    /// `%K` a key path. Stops the process when the format is wrong, as on Apple's systems; for a text that a
    /// person typed there is `init(parsing:arguments:)`.
    ///
    /// ```swift
    /// let predicate = NSPredicate(format: "%K BEGINSWITH[cd] %@", "name", "su")
    /// print(predicate.evaluate(with: hero))
    /// ```
    ///
    /// - Parameters:
    ///   - predicateFormat: the text.
    ///   - args: what its `%` specifiers stand for, in order.
    public init(format predicateFormat: String, _ args: Any?...) {
        self = Self.made(orRaise: predicateFormat, args)
    }

    /// A predicate from its format, with the arguments in an array.
    ///
    /// - Parameters:
    ///   - predicateFormat: the text.
    ///   - arguments: what its `%` specifiers stand for, in order.
    public init(format predicateFormat: String, argumentArray arguments: [Any]?) {
        self = Self.made(orRaise: predicateFormat, arguments ?? [])
    }

    /// A predicate from a format of unknown origin.
    ///
    /// ```swift
    /// do {
    ///     print(try NSPredicate(parsing: "name =="))
    /// } catch let error as PredicateFormatError {
    ///     print(error.reason, error.position)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - predicateFormat: the text.
    ///   - arguments: what its `%` specifiers stand for, in order.
    /// - Throws: `PredicateFormatError` with the reason and the position; `NSCoreDataError` for a predicate that is of
    ///   another class than the one that is to be made.
    public init(parsing predicateFormat: String, arguments: [Any?] = []) throws {
        FoundationRepairs.make()
        let tree: PredicateTree
        do throws(ParseFailure) {
            tree = try PredicateParser.predicate(predicateFormat, arguments: arguments)
        } catch {
            throw PredicateFormatError(error)
        }
        let predicate = NSPredicate.make(tree)
        guard let predicate = predicate as? Self else {
            throw RequestErrors.wrong("\(predicateFormat) is no \(Self.self)")
        }
        self = predicate
    }

    private static func made(orRaise format: String, _ arguments: [Any?]) -> Self {
        FoundationRepairs.make()
        do throws(ParseFailure) {
            return cast(NSPredicate.make(try PredicateParser.predicate(format, arguments: arguments)))
        } catch {
            raise(
                .invalidArgument, "Unable to parse the format string \"\(format)\": \(error)",
                instead: "NSPredicate(parsing:arguments:)")
        }
    }

    /// A format's class follows from the format, so only a supertype of that class may ask.
    static func cast(_ predicate: NSPredicate) -> Self {
        guard let predicate = predicate as? Self else {
            raise(
                .invalidArgument, "\(predicate.classFormat) is no \(Self.self): make it as an NSPredicate",
                instead: "NSPredicate(parsing:arguments:)")
        }
        return predicate
    }
}
