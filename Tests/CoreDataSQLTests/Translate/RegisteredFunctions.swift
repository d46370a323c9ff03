// Registers our SQL functions and collations with plain SQLite, as a driver does.

import CSQLite
import CoreDataSQL
import Foundation

extension ScratchDatabase {
    func registerFunctions() throws {
        for function in SQLFunction.all {
            let box = Unmanaged.passRetained(FunctionBox(function)).toOpaque()
            let release: @convention(c) (UnsafeMutableRawPointer?) -> Void = { pointer in
                guard let pointer else { return }
                Unmanaged<FunctionBox>.fromOpaque(pointer).release()
            }
            let flags = SQLITE_UTF8 | (function.isDeterministic ? SQLITE_DETERMINISTIC : 0)
            let count = Int32(function.argumentCount)
            let name = function.name.rawValue
            let result =
                switch function.body {
                case .scalar:
                    sqlite3_create_function_v2(
                        handle, name, count, flags, box, callScalar, nil, nil, release)
                case .aggregate:
                    sqlite3_create_function_v2(
                        handle, name, count, flags, box, nil, stepAggregate, finishAggregate, release)
                }
            guard result == SQLITE_OK else { throw Failure(message: name) }
        }
        for collation in SQLCollation.allCases {
            let box = Unmanaged.passRetained(CollationBox(collation)).toOpaque()
            let result = sqlite3_create_collation_v2(
                handle, collation.rawValue, SQLITE_UTF8, box, compareTexts
            ) { pointer in
                guard let pointer else { return }
                Unmanaged<CollationBox>.fromOpaque(pointer).release()
            }
            guard result == SQLITE_OK else { throw Failure(message: collation.rawValue) }
        }
    }
}

private final class FunctionBox {
    let function: SQLFunction
    var values: [Int: [SQLBinding]] = [:]

    init(_ function: SQLFunction) { self.function = function }
}

private final class CollationBox {
    let collation: SQLCollation

    init(_ collation: SQLCollation) { self.collation = collation }
}

private func box(_ context: OpaquePointer?) -> FunctionBox? {
    sqlite3_user_data(context).map { Unmanaged<FunctionBox>.fromOpaque($0).takeUnretainedValue() }
}

private func binding(_ value: OpaquePointer?) -> SQLBinding {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: return .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: return .double(sqlite3_value_double(value))
    case SQLITE_TEXT: return .text(String(cString: sqlite3_value_text(value)))
    case SQLITE_BLOB:
        guard let bytes = sqlite3_value_blob(value) else { return .blob(Data()) }
        return .blob(Data(bytes: bytes, count: Int(sqlite3_value_bytes(value))))
    default: return .null
    }
}

private func finish(_ context: OpaquePointer?, _ body: () throws -> SQLBinding) {
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    do {
        switch try body() {
        case .null: sqlite3_result_null(context)
        case .integer(let value): sqlite3_result_int64(context, value)
        case .double(let value): sqlite3_result_double(context, value)
        case .text(let value): sqlite3_result_text(context, value, -1, transient)
        case .blob(let value):
            value.withUnsafeBytes {
                sqlite3_result_blob(context, $0.baseAddress, Int32($0.count), transient)
            }
        }
    } catch {
        sqlite3_result_error(context, "\(error)", -1)
    }
}

private typealias Arguments = UnsafeMutablePointer<OpaquePointer?>?

private func callScalar(_ context: OpaquePointer?, _ count: Int32, _ arguments: Arguments) {
    guard let box = box(context), case .scalar(let body) = box.function.body else { return }
    let values = (0..<Int(count)).map { binding(arguments?[$0]) }
    finish(context) { try body(values) }
}

/// One byte of the group's own memory tells groups apart by its address.
private func group(_ context: OpaquePointer?) -> Int {
    sqlite3_aggregate_context(context, 1).map { Int(bitPattern: $0) } ?? 0
}

private func stepAggregate(_ context: OpaquePointer?, _ count: Int32, _ arguments: Arguments) {
    box(context)?.values[group(context), default: []].append(binding(arguments?[0]))
}

private func finishAggregate(_ context: OpaquePointer?) {
    guard let box = box(context), case .aggregate(let body) = box.function.body else { return }
    let values = box.values.removeValue(forKey: group(context)) ?? []
    finish(context) { try body(values) }
}

private func compareTexts(
    _ pointer: UnsafeMutableRawPointer?, _ firstCount: Int32, _ first: UnsafeRawPointer?,
    _ secondCount: Int32, _ second: UnsafeRawPointer?
) -> Int32 {
    guard let pointer else { return 0 }
    let collation = Unmanaged<CollationBox>.fromOpaque(pointer).takeUnretainedValue().collation
    let texts = [(first, firstCount), (second, secondCount)].map { bytes, count in
        String(decoding: UnsafeRawBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
    }
    return Int32(collation.compare(texts[0], with: texts[1]).rawValue)
}
