// Signposts mark intervals for Apple's tools. Here they are lines of the log at its debug level, with their durations.

import Foundation
import Synchronization

/// Tells intervals of one name apart.
public struct OSSignpostID: Hashable, Sendable {
    /// The number that tells intervals apart.
    public let rawValue: UInt64

    /// An identifier with a number of the program's.
    public init(_ value: UInt64) {
        rawValue = value
    }

    /// An identifier that no other interval of the process has.
    public init(log: OSLog) {
        self = .next()
    }

    /// That of intervals of which only one runs at a time.
    public static let exclusive = OSSignpostID(0xEEEE_B0B5_B2B2_EEEE)
    /// That of no interval; nothing is marked under it.
    public static let invalid = OSSignpostID(UInt64.max)
    /// That of no interval, as a zero.
    public static let null = OSSignpostID(0)

    private static let last = Atomic<UInt64>(0)

    fileprivate static func next() -> OSSignpostID {
        OSSignpostID(last.wrappingAdd(1, ordering: .relaxed).newValue)
    }
}

/// An interval that was begun.
public final class OSSignpostIntervalState: Sendable {
    fileprivate let id: OSSignpostID
    fileprivate let start = ContinuousClock.now

    fileprivate init(_ id: OSSignpostID) {
        self.id = id
    }
}

/// Marks intervals and events. They are written to the log as messages of the kind `debug`.
public struct OSSignposter: Sendable {
    private let log: OSLog

    /// A signposter without subsystem and category.
    public init() {
        log = .default
    }

    /// A signposter of a part of a program.
    ///
    /// - Parameters:
    ///   - subsystem: the program or library, as a reversed domain name.
    ///   - category: its part.
    public init(subsystem: String, category: String) {
        log = OSLog(subsystem: subsystem, category: category)
    }

    /// A signposter that writes to a log.
    public init(logHandle: OSLog) {
        log = logHandle
    }

    /// A signposter that writes nothing.
    public static var disabled: OSSignposter { OSSignposter(logHandle: .disabled) }

    /// Indicates whether anything is written.
    public var isEnabled: Bool { log.isEnabled(type: .debug) }

    /// Returns an identifier that no other interval of the process has.
    public func makeSignpostID() -> OSSignpostID { .next() }

    /// Marks where an interval begins.
    ///
    /// - Parameters:
    ///   - name: the name of the interval or event.
    ///   - id: the interval's identifier.
    ///   - message: a message, which is only made if it is written.
    /// - Returns: what `endInterval(_:_:_:)` takes.
    public func beginInterval(
        _ name: StaticString, id: OSSignpostID = .exclusive, _ message: @autoclosure () -> OSLogMessage = ""
    ) -> OSSignpostIntervalState {
        write(name, event: "begin", message: message())
        return OSSignpostIntervalState(id)
    }

    /// Marks where an interval ends.
    ///
    /// - Parameters:
    ///   - name: the interval's name.
    ///   - state: what its beginning returned.
    ///   - message: a message, which is only made if it is written.
    public func endInterval(
        _ name: StaticString, _ state: OSSignpostIntervalState,
        _ message: @autoclosure () -> OSLogMessage = ""
    ) {
        write(name, event: "end after \(state.start.duration(to: .now))", message: message())
    }

    /// Marks an event.
    ///
    /// - Parameters:
    ///   - name: the name of the interval or event.
    ///   - id: the interval's identifier.
    ///   - message: a message, which is only made if it is written.
    public func emitEvent(
        _ name: StaticString, id: OSSignpostID = .exclusive, _ message: @autoclosure () -> OSLogMessage = ""
    ) {
        write(name, event: "event", message: message())
    }

    /// Marks where a task begins and ends.
    ///
    /// - Parameters:
    ///   - name: the name of the interval or event.
    ///   - id: the interval's identifier.
    ///   - message: a message, which is only made if it is written.
    ///   - task: the task.
    /// - Returns: what the task returns.
    public func withIntervalSignpost<Result>(
        _ name: StaticString, id: OSSignpostID = .exclusive, _ message: @autoclosure () -> OSLogMessage = "",
        around task: () throws -> Result
    ) rethrows -> Result {
        let state = beginInterval(name, id: id, message())
        defer { endInterval(name, state) }
        return try task()
    }

    private func write(_ name: StaticString, event: String, message: @autoclosure () -> OSLogMessage) {
        guard isEnabled else { return }
        let text = message().text
        LogOutput.shared.write(
            .debug, log: log, text: "\(name): \(event)" + (text.isEmpty ? "" : ", \(text)"))
    }
}

/// The kind of a signpost.
public struct OSSignpostType: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// A single moment.
    public static let event = OSSignpostType(rawValue: 0)
    /// The beginning of an interval.
    public static let begin = OSSignpostType(rawValue: 1)
    /// The end of an interval.
    public static let end = OSSignpostType(rawValue: 2)

    fileprivate var name: String { self == .begin ? "begin" : self == .end ? "end" : "event" }
}

/// Marks an event, or one end of an interval, with a message by a format.
///
/// - Parameters:
///   - type: an event, or which end of an interval.
///   - dso: not used.
///   - log: where it is written.
///   - name: the name of the interval or event.
///   - signpostID: the interval's identifier.
///   - format: the message's format.
///   - arguments: the values for the format's specifiers, in order.
// swift-format-ignore
public func os_signpost(
    _ type: OSSignpostType, dso: UnsafeRawPointer? = nil, log: OSLog, name: StaticString,
    signpostID: OSSignpostID = .exclusive, _ format: StaticString = "", _ arguments: any CVarArg...
) {
    guard log.isEnabled(type: .debug) else { return }
    let text = LogFormat.text(format.description, arguments: arguments)
    LogOutput.shared.write(.debug, log: log, text: "\(name): \(type.name)" + (text.isEmpty ? "" : ", \(text)"))
}
