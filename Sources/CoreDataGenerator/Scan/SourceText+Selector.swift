// The names that declarations have for the Objective-C runtime.

extension SourceText {
    /// Returns what stands in the `@objc(…)` of a declaration, in front of it or in the lines of attributes and conditions above.
    ///
    /// - Parameters:
    ///   - start: where the declaration begins, be it with an attribute or its keyword.
    ///   - end: where its attributes have ended.
    func selector(ofDeclarationAt start: Int, before end: Int) -> String? {
        var lineStart = beginning(ofLineAt: start)
        var line = text(lineStart..<end)
        while true {
            if let selector = Self.selector(in: line) { return selector }
            guard lineStart > 0 else { return nil }
            let above = beginning(ofLineAt: lineStart - 1)
            line = text(above..<lineStart)
            let words = line.split(whereSeparator: \.isWhitespace)
            guard let first = words.first?.first, first == "@" || first == "#", !words.contains("func") else {
                return nil
            }
            lineStart = above
        }
    }

    private func beginning(ofLineAt offset: Int) -> Int {
        bytes[..<max(0, min(offset, bytes.count))].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    }

    private static func selector(in line: String) -> String? {
        guard let start = line.firstRange(of: "@objc(")?.upperBound,
            let end = line[start...].firstIndex(of: ")")
        else {
            return nil
        }
        return String(line[start..<end])
    }
}
