// Registers the SQL functions that our statements call. SQLite calls them through C, with our closure as its
// user data.

import CSQLite
import CoreDataSQL
import Foundation

extension Connection {
    /// Makes a function known to this connection.
    ///
    /// Innocuous, so that triggers and indexes of a file may call it although we don't trust its schema: our
    /// functions have no effects.
    func register(
        _ name: String, argumentCount: Int, isDeterministic: Bool = false, body: SQLFunction.Body
    ) throws {
        let flags =
            SQLITE_UTF8 | SQLITE_INNOCUOUS | (isDeterministic ? SQLITE_DETERMINISTIC : 0)
        let box = Unmanaged.passRetained(FunctionBox(body)).toOpaque()
        let release: @convention(c) (UnsafeMutableRawPointer?) -> Void = {
            if let box = $0 { Unmanaged<FunctionBox>.fromOpaque(box).release() }
        }
        let count = Int32(argumentCount)
        switch body {
        case .scalar:
            try check(
                sqlite3_create_function_v2(handle, name, count, flags, box, callScalar, nil, nil, release))
        case .aggregate:
            try check(
                sqlite3_create_function_v2(
                    handle, name, count, flags, box, nil, stepAggregate, finishAggregate, release))
        }
    }

    /// Registers the functions and collations of our SQL.
    func registerStandardFunctions() throws {
        for function in SQLFunction.all {
            try register(
                function.name.rawValue, argumentCount: function.argumentCount,
                isDeterministic: function.isDeterministic, body: function.body)
        }
        for collation in SQLCollation.allCases { try register(collation) }
        try registerTriggerFunctions()
    }
}

private final class FunctionBox {
    let body: SQLFunction.Body

    init(_ body: SQLFunction.Body) {
        self.body = body
    }
}

/// The first arguments of a group's rows so far.
private final class GroupBox {
    var values: [SQLBinding] = []
}

private func function(_ context: OpaquePointer?) -> FunctionBox? {
    sqlite3_user_data(context).map { Unmanaged<FunctionBox>.fromOpaque($0).takeUnretainedValue() }
}

private func callScalar(
    _ context: OpaquePointer?, count: Int32, arguments: UnsafeMutablePointer<OpaquePointer?>?
) {
    guard case .scalar(let body)? = function(context)?.body else { return }
    let values = (0..<Int(count)).map { binding(arguments?[$0]) }
    finish(context) { try body(values) }
}

private func stepAggregate(
    _ context: OpaquePointer?, count: Int32, arguments: UnsafeMutablePointer<OpaquePointer?>?
) {
    // SQLite keeps one word for each group, zeroed at first.
    let size = Int32(MemoryLayout<UnsafeMutableRawPointer?>.size)
    guard let place = sqlite3_aggregate_context(context, size) else {
        return sqlite3_result_error_nomem(context)
    }
    let word = place.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
    let group: Unmanaged<GroupBox>
    if let known = word.pointee {
        group = Unmanaged.fromOpaque(known)
    } else {
        group = Unmanaged.passRetained(GroupBox())
        word.pointee = group.toOpaque()
    }
    if count > 0 { group.takeUnretainedValue().values.append(binding(arguments?[0])) }
}

private func finishAggregate(_ context: OpaquePointer?) {
    var values: [SQLBinding] = []
    let word = sqlite3_aggregate_context(context, 0)?.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
    if let group = word?.pointee {
        values = Unmanaged<GroupBox>.fromOpaque(group).takeRetainedValue().values
        word?.pointee = nil
    }
    guard case .aggregate(let body)? = function(context)?.body else { return }
    finish(context) { try body(values) }
}

private func finish(_ context: OpaquePointer?, body: () throws -> SQLBinding) {
    do {
        setResult(context, result: try body())
    } catch {
        let message = "\(error)"
        sqlite3_result_error(context, message, Int32(clamping: message.utf8.count))
    }
}

/// Hands a value of a function or a virtual table to SQLite, which copies it.
func setResult(_ context: OpaquePointer?, result: SQLBinding) {
    switch result {
    case .null: sqlite3_result_null(context)
    case .integer(let value): sqlite3_result_int64(context, value)
    case .double(let value): sqlite3_result_double(context, value)
    case .text(var text):
        text.withUTF8 {
            sqlite3_result_text64(
                context, UnsafeRawPointer($0.baseAddress)?.assumingMemoryBound(to: CChar.self),
                UInt64($0.count),
                Statement.copying, UInt8(SQLITE_UTF8))
        }
    case .blob(let data):
        data.withUnsafeBytes {
            if $0.isEmpty { return sqlite3_result_zeroblob(context, 0) }
            sqlite3_result_blob64(context, $0.baseAddress, UInt64($0.count), Statement.copying)
        }
    }
}

private func binding(_ value: OpaquePointer?) -> SQLBinding {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: return .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: return .double(sqlite3_value_double(value))
    case SQLITE_TEXT:
        guard let start = sqlite3_value_text(value) else { return .null }
        let count = Int(sqlite3_value_bytes(value))
        return .text(String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self))
    case SQLITE_BLOB:
        guard let start = sqlite3_value_blob(value) else { return .blob(Data()) }
        return .blob(Data(bytes: start, count: Int(sqlite3_value_bytes(value))))
    default: return .null
    }
}
