// Functions that expressions of mapping models call by the names of their selectors. Apple's framework finds such
// methods through the Objective-C runtime; without one, a class states them.

import CoreDataPredicate
import CoreDataSupport
import Foundation

/// Collects what a migration policy, or a subclass of the migration manager, offers to `FUNCTION(…)`. See
/// `NSEntityMigrationPolicy.registerFunctions(in:)`.
public struct MigrationFunctions {
    private var entries: [String: (AnyObject, [Value]) throws -> Value] = [:]

    package init() {}

    /// States that `FUNCTION($entityPolicy, "selector:…", a, b)` calls the closure, with the policy and the values of the
    /// arguments. An argument of another type fails the migration, as does what the closure throws.
    ///
    /// The selector has a colon for each argument, or the process is stopped.
    ///
    /// - Parameters:
    ///   - selector: the method's name as the mapping model spells it, with a colon for each argument.
    ///   - body: gets the policy and the values of the arguments.
    public mutating func function<Receiver: AnyObject, each Argument, Result>(
        _ selector: String, _ body: @escaping (Receiver, repeat each Argument) throws -> Result
    ) {
        var count = 0
        repeat Self.count((each Argument).self, count: &count)
        add(selector, argumentCount: count) { (receiver: Receiver, arguments) in
            Value(try body(receiver, repeat arguments.next((each Argument).self)))
        }
    }

    /// States that `FUNCTION($entityPolicy, "selector:…", a, b)` calls a method of the policy. Generated code calls this, for the
    /// methods that are marked `@objc` on Apple's systems.
    ///
    /// - Parameters:
    ///   - selector: the method's name for the Objective-C runtime.
    ///   - method: the method, as in `CarPolicy.plate(for:country:)`.
    public mutating func method<Receiver: AnyObject, each Argument, Result>(
        _ selector: String, _ method: @escaping (Receiver) -> (repeat each Argument) -> Result
    ) {
        var count = 0
        repeat Self.count((each Argument).self, count: &count)
        add(selector, argumentCount: count) { (receiver: Receiver, arguments) in
            Value(method(receiver)(repeat try arguments.next((each Argument).self)))
        }
    }

    /// Has a function state methods. It may be the main actor's, as members of extensions are in a target whose isolation that
    /// is; it names them only. Generated code calls this.
    public mutating func register<Members>(_ members: Members) {
        typealias Function = (inout MigrationFunctions) -> Void
        let isFunction = MemoryLayout<Members>.size == MemoryLayout<Function>.size
        precondition(isFunction, "it takes a function")  // generated code hands over nothing else
        unsafeBitCast(members, to: Function.self)(&self)
    }

    private mutating func add<Receiver: AnyObject>(
        _ selector: String, argumentCount: Int,
        _ call: @escaping (Receiver, inout CallArguments) throws -> Value
    ) {
        guard FunctionTable.arguments(of: selector) == argumentCount else {
            raise(
                .invalidArgument,
                "\"\(selector)\" is no selector of a function of \(argumentCount) arguments: one colon for each"
            )
        }
        entries[selector] = { receiver, values in
            guard let receiver = receiver as? Receiver else {
                throw EvaluationFailure(
                    reason: "“\(selector)” was stated for \(Receiver.self), not \(type(of: receiver))")
            }
            var arguments = CallArguments(selector, values: values)
            return try call(receiver, &arguments)
        }
    }

    private static func count<Argument>(_ type: Argument.Type, count: inout Int) {
        count += 1
    }

    /// Calls a function, if there is one of the name.
    func call(_ selector: String, on receiver: AnyObject, arguments: [Value]) throws -> Value? {
        try entries[selector]?(receiver, arguments)
    }
}

/// The values of a call, taken one by one as the types that a function declares.
private struct CallArguments {
    private let selector: String
    private var values: ArraySlice<Value>

    init(_ selector: String, values: [Value]) {
        self.selector = selector
        self.values = values[...]
    }

    mutating func next<Argument>(_ type: Argument.Type) throws -> Argument {
        guard let value = values.popFirst() else {
            throw EvaluationFailure(reason: "“\(selector)” is called with too few arguments")
        }
        guard let argument = Self.converted(value, to: type) else {
            throw EvaluationFailure(
                reason: "“\(selector)” takes \(type), not \(Swift.type(of: value.any as Any))")
        }
        return argument
    }

    /// A collection fits any type of collection. Nil is an empty text or collection where the type isn't optional, as Swift has it
    /// on Apple's systems.
    private static func converted<Argument>(_ value: Value, to type: Argument.Type) -> Argument? {
        if let same = (value.any as Any) as? Argument { return same }
        switch value {
        case .null:
            if let text = "" as? Argument { return text }
            return type is NSObject.Type ? nil : EmptyValue.of(type)
        case .array(let elements): return collection(elements.map { $0.any ?? NSNull() }, as: type)
        case .set(let elements): return collection(elements.map { $0.any ?? NSNull() }, as: type)
        default: return nil
        }
    }

    private static func collection<Argument>(_ elements: [Any], as type: Argument.Type) -> Argument? {
        if let array = elements as? Argument { return array }
        if let set = Set(elements.compactMap { $0 as? AnyHashable }) as? Argument { return set }
        return NSSet(array: elements) as? Argument ?? NSOrderedSet(array: elements) as? Argument
            ?? NSArray(array: elements) as? Argument
    }
}
