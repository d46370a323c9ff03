// Comparing values in tests.

package import Testing

/// Expects a value to equal another one, as `#expect(value == expected)` does, of which it is one: a macro that is expanded and
/// checked here once, and not for each comparison. Docs/Decisions/0099 has the figures.
///
/// - Parameters:
///   - value: the value.
///   - expected: the value that it should equal.
///   - comment: a text to print with a failure, or nil.
package func expect<Value: Equatable>(
    _ value: Value, equals expected: Value, _ comment: @autoclosure () -> Comment? = nil,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
) {
    #expect(
        value == expected, comment(),
        sourceLocation: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
}
