// Signposts mark intervals for Apple's tools. Here they are lines of the log at its debug level, with their durations.

import Foundation
import Synchronization

/// Tells intervals of one name apart.
public struct OSSignpostID: Hashable, Sendable {
    public let rawValue: UInt64

    public init(_ value: UInt64) {
        rawValue = value
    }

    public init(log: OSLog) {
        self = .next()
    }

    public static let exclusive = OSSignpostID(0xEEEE_B0B5_B2B2_EEEE)
    public static let invalid = OSSignpostID(UInt64.max)
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

    public init() {
        log = .default
    }

    public init(subsystem: String, category: String) {
        log = OSLog(subsystem: subsystem, category: category)
    }

    public init(logHandle: OSLog) {
        log = logHandle
    }

    public static var disabled: OSSignposter { OSSignposter(logHandle: .disabled) }

    public var isEnabled: Bool { log.isEnabled(type: .debug) }

    public func makeSignpostID() -> OSSignpostID { .next() }

    public func beginInterval(
        _ name: StaticString, id: OSSignpostID = .exclusive, _ message: @autoclosure () -> OSLogMessage = ""
    ) -> OSSignpostIntervalState {
        write(name, "begin", message())
        return OSSignpostIntervalState(id)
    }

    public func endInterval(
        _ name: StaticString, _ state: OSSignpostIntervalState,
        _ message: @autoclosure () -> OSLogMessage = ""
    ) {
        write(name, "end after \(state.start.duration(to: .now))", message())
    }

    public func emitEvent(
        _ name: StaticString, id: OSSignpostID = .exclusive, _ message: @autoclosure () -> OSLogMessage = ""
    ) {
        write(name, "event", message())
    }

    public func withIntervalSignpost<Result>(
        _ name: StaticString, id: OSSignpostID = .exclusive, _ message: @autoclosure () -> OSLogMessage = "",
        around task: () throws -> Result
    ) rethrows -> Result {
        let state = beginInterval(name, id: id, message())
        defer { endInterval(name, state) }
        return try task()
    }

    private func write(_ name: StaticString, _ event: String, _ message: @autoclosure () -> OSLogMessage) {
        guard isEnabled else { return }
        let text = message().text
        LogOutput.shared.write(.debug, log, "\(name): \(event)" + (text.isEmpty ? "" : ", \(text)"))
    }
}

/// What a signpost marks.
public struct OSSignpostType: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    public static let event = OSSignpostType(rawValue: 0)
    public static let begin = OSSignpostType(rawValue: 1)
    public static let end = OSSignpostType(rawValue: 2)

    fileprivate var name: String { self == .begin ? "begin" : self == .end ? "end" : "event" }
}

/// Marks an event, or one end of an interval, with a message by a format.
// swift-format-ignore
public func os_signpost(
    _ type: OSSignpostType, dso: UnsafeRawPointer? = nil, log: OSLog, name: StaticString,
    signpostID: OSSignpostID = .exclusive, _ format: StaticString = "", _ arguments: any CVarArg...
) {
    guard log.isEnabled(type: .debug) else { return }
    let text = LogFormat.text(format.description, arguments)
    LogOutput.shared.write(.debug, log, "\(name): \(type.name)" + (text.isEmpty ? "" : ", \(text)"))
}
