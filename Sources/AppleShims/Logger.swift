// The unified log's interface, written to standard error.

import Foundation
import Synchronization

/// The kinds of message, in the order of their weight.
public struct OSLogType: RawRepresentable, Hashable, Sendable, Comparable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Neither a detail nor an error.
    public static let `default` = OSLogType(rawValue: 0)
    /// May help to find an error.
    public static let info = OSLogType(rawValue: 1)
    /// A detail that is of use while a program is written.
    public static let debug = OSLogType(rawValue: 2)
    /// Something that failed.
    public static let error = OSLogType(rawValue: 16)
    /// A mistake of the program or the system.
    public static let fault = OSLogType(rawValue: 17)

    /// Returns whether one kind is less weighty than another: debug, info, default, error, fault.
    ///
    /// - Parameters:
    ///   - left: a kind.
    ///   - right: another kind.
    public static func < (left: OSLogType, right: OSLogType) -> Bool { left.weight < right.weight }

    private var weight: Int { [.debug, .info, .default, .error, .fault].firstIndex(of: self) ?? 2 }

    var name: String {
        switch self {
        case .debug: "debug"
        case .info: "info"
        case .error: "error"
        case .fault: "fault"
        default: "default"
        }
    }
}

/// A subsystem's log, as `os_log` takes it.
public final class OSLog: Sendable {
    /// The program or library that writes.
    public let subsystem: String
    /// The part of it that writes.
    public let category: String
    let isDisabled: Bool

    /// A log of a part of a program.
    ///
    /// - Parameters:
    ///   - subsystem: the program or library, as a reversed domain name.
    ///   - category: its part.
    public init(subsystem: String, category: String) {
        (self.subsystem, self.category, isDisabled) = (subsystem, category, false)
    }

    private init(isDisabled: Bool) {
        (subsystem, category, self.isDisabled) = ("", "", isDisabled)
    }

    /// The log of nobody in particular.
    public static let `default` = OSLog(isDisabled: false)
    /// A log that drops its messages.
    public static let disabled = OSLog(isDisabled: true)

    /// Returns whether messages of this kind are written.
    public func isEnabled(type: OSLogType) -> Bool { !isDisabled && type >= LogOutput.shared.threshold }
}

/// Writes messages of one subsystem and category to standard error, a line each.
///
/// Messages of `debug` and `info` are written where the environment's `OS_ACTIVITY_MODE` is `debug` or `info`, all others
/// always. Differs from Apple's: nothing keeps the messages, and values without a stated privacy are written, as they go to
/// the process's own output; `.private` and `.sensitive` ones aren't.
public struct Logger: Sendable {
    private let log: OSLog

    /// A logger without subsystem and category.
    public init() {
        log = .default
    }

    /// A logger of a part of a program.
    ///
    /// - Parameters:
    ///   - subsystem: the program or library, as a reversed domain name.
    ///   - category: its part.
    public init(subsystem: String, category: String) {
        log = OSLog(subsystem: subsystem, category: category)
    }

    /// A logger that writes to a log.
    public init(_ log: OSLog) {
        self.log = log
    }

    /// Writes a message of a kind.
    ///
    /// - Parameters:
    ///   - level: how weighty it is.
    ///   - message: the message, which is only made if it is written.
    public func log(level: OSLogType, _ message: @autoclosure () -> OSLogMessage) {
        guard log.isEnabled(type: level) else { return }
        LogOutput.shared.write(level, log: log, text: message().text)
    }

    /// Writes a message of the kind `default`.
    public func log(_ message: @autoclosure () -> OSLogMessage) { log(level: .default, message()) }
    /// Writes a message of the kind `debug`.
    public func trace(_ message: @autoclosure () -> OSLogMessage) { log(level: .debug, message()) }
    /// Writes a detail: the kind `debug`.
    public func debug(_ message: @autoclosure () -> OSLogMessage) { log(level: .debug, message()) }
    /// Writes what may help to find an error: the kind `info`.
    public func info(_ message: @autoclosure () -> OSLogMessage) { log(level: .info, message()) }
    /// Writes a message of the kind `default`.
    public func notice(_ message: @autoclosure () -> OSLogMessage) { log(level: .default, message()) }
    /// Writes a doubt: the kind `error`.
    public func warning(_ message: @autoclosure () -> OSLogMessage) { log(level: .error, message()) }
    /// Writes of a failure: the kind `error`.
    public func error(_ message: @autoclosure () -> OSLogMessage) { log(level: .error, message()) }
    /// Writes of a mistake: the kind `fault`.
    public func critical(_ message: @autoclosure () -> OSLogMessage) { log(level: .fault, message()) }
    /// Writes of a mistake of the program: the kind `fault`.
    public func fault(_ message: @autoclosure () -> OSLogMessage) { log(level: .fault, message()) }
}

/// Writes a message by a format with its arguments: `%{public}@`, `%{private}d` and `%@` as in `String(format:)`.
///
/// - Parameters:
///   - message: the format.
///   - dso: not used.
///   - log: where the message goes.
///   - type: how weighty it is.
///   - arguments: the values for the format's specifiers, in order.
// swift-format-ignore
public func os_log(
    _ message: StaticString, dso: UnsafeRawPointer? = nil, log: OSLog = .default, type: OSLogType = .default,
    _ arguments: any CVarArg...
) {
    LogOutput.shared.write(type, log: log, format: message, arguments: arguments)
}

/// Writes a message by a format with its arguments, of a given kind.
///
/// - Parameters:
///   - type: how weighty it is.
///   - dso: not used.
///   - log: where the message goes.
///   - message: the format.
///   - arguments: the values for the format's specifiers, in order.
// swift-format-ignore
public func os_log(
    _ type: OSLogType, dso: UnsafeRawPointer? = nil, log: OSLog = .default, _ message: StaticString,
    _ arguments: any CVarArg...
) {
    LogOutput.shared.write(type, log: log, format: message, arguments: arguments)
}

/// Writes messages to standard error.
final class LogOutput: Sendable {
    static let shared = LogOutput(ProcessInfo.processInfo.environment["OS_ACTIVITY_MODE"])

    /// The least weighty kind that is written.
    let threshold: OSLogType
    private let sink: Mutex<@Sendable (String) -> Void>

    init(_ mode: String?) {
        threshold = mode == "debug" ? .debug : mode == "info" ? .info : .default
        sink = Mutex { line in FileHandle.standardError.write(Data(line.utf8)) }
    }

    func write(_ type: OSLogType, log: OSLog, text: String) {
        let place = log.subsystem.isEmpty ? "" : " [\(log.subsystem):\(log.category)]"
        sink.withLock { $0("\(type.name)\(place) \(text)\n") }
    }

    /// Writes a message by a format, where its kind is written; else the arguments aren't asked for either.
    func write(
        _ type: OSLogType, log: OSLog, format: StaticString, arguments: @autoclosure () -> [any CVarArg]
    ) {
        guard log.isEnabled(type: type) else { return }
        write(type, log: log, text: LogFormat.text(format.description, arguments: arguments()))
    }
}

enum LogFormat {
    /// The format with its arguments; those that it calls private left out.
    static func text(_ format: String, arguments: [any CVarArg]) -> String {
        var plain = ""
        var kept: [any CVarArg] = []
        var rest = arguments[...]
        var characters = format[...]
        while let percent = characters.firstIndex(of: "%") {
            plain += characters[..<percent]
            characters = characters[characters.index(after: percent)...]
            if characters.first == "%" {
                plain += "%%"
                characters = characters.dropFirst()
                continue
            }
            var isPrivate = false
            if characters.first == "{", let close = characters.firstIndex(of: "}") {
                let words = characters[characters.index(after: characters.startIndex)..<close]
                isPrivate = words.contains("private") || words.contains("sensitive")
                characters = characters[characters.index(after: close)...]
            }
            let end = characters.firstIndex { $0.isLetter && !"hlqLztj".contains($0) || $0 == "@" }
            guard let end else { break }
            let next = characters.index(after: end)
            if isPrivate {
                plain += "<private>"
            } else {
                plain += "%" + characters[..<next]
                if let argument = rest.first { kept.append(argument) }
            }
            rest = rest.dropFirst()
            characters = characters[next...]
        }
        plain += characters
        return String(format: plain, arguments: kept)
    }
}
