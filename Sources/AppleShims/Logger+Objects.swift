// Objects as the arguments of formats. On Apple's systems every object of the Objective-C runtime is a `CVarArg`.

import Foundation

/// Writes a message by a format with its arguments, of which some are objects: `os_log("%{public}@", error as NSError)`.
///
/// - Parameters:
///   - message: the format.
///   - dso: not used.
///   - log: where the message goes.
///   - type: how weighty it is.
///   - arguments: the values for the format's specifiers, in order.
// swift-format-ignore
@_disfavoredOverload
public func os_log(
    _ message: StaticString, dso: UnsafeRawPointer? = nil, log: OSLog = .default, type: OSLogType = .default,
    _ arguments: Any?...
) {
    LogOutput.shared.write(type, log: log, format: message, arguments: arguments.map(formatArgument))
}

/// Writes a message by a format with its arguments, of which some are objects, of a given kind.
///
/// - Parameters:
///   - type: how weighty it is.
///   - dso: not used.
///   - log: where the message goes.
///   - message: the format.
///   - arguments: the values for the format's specifiers, in order.
// swift-format-ignore
@_disfavoredOverload
public func os_log(
    _ type: OSLogType, dso: UnsafeRawPointer? = nil, log: OSLog = .default, _ message: StaticString,
    _ arguments: Any?...
) {
    LogOutput.shared.write(type, log: log, format: message, arguments: arguments.map(formatArgument))
}

/// Logs a line by a format with its arguments, of which some are objects: `NSLog("%@", error as NSError)`.
///
/// - Parameters:
///   - format: the format.
///   - arguments: the values for the format's specifiers, in order.
// swift-format-ignore
@_disfavoredOverload
public func NSLog(_ format: String, _ arguments: Any?...) {
    NSLog("%@", String(format: format, arguments: arguments.map(formatArgument)))
}

/// The argument as a format takes it: an object that is none by its description.
func formatArgument(_ value: Any?) -> any CVarArg {
    switch value {
    case nil: "(null)"
    case let argument as any CVarArg: argument
    case let value?: String(describing: value)
    }
}
