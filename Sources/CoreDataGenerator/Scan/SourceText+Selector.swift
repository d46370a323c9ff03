// The marks that make declarations known to the Objective-C runtime.

/// `@objc`, `@objc(name)` or `@objcMembers` of a declaration, also where `#if` leaves that to Apple's systems.
struct ObjectiveCMark {
    /// The name between the parentheses.
    private(set) var name: String?
    private(set) var isObjectiveC = false
    private(set) var coversMembers = false

    fileprivate mutating func add(_ line: String) {
        if name == nil, let start = line.firstRange(of: "@objc(")?.upperBound,
            let end = line[start...].firstIndex(of: ")")
        {
            name = String(line[start..<end])
        }
        coversMembers = coversMembers || line.contains("@objcMembers")
        isObjectiveC = isObjectiveC || line.replacing("@objcMembers", with: "").contains("@objc")
    }
}

extension SourceText {
    /// Words of a line that is a declaration itself, not attributes of the next one.
    private static let declaring: Set<Substring> = [
        "actor", "class", "enum", "extension", "func", "init", "let", "protocol", "struct", "subscript",
        "var",
    ]

    /// Returns the marks of a declaration, in front of it or in the lines of attributes and conditions above.
    ///
    /// - Parameters:
    ///   - start: where the declaration begins, be it with an attribute or its keyword.
    ///   - end: where its attributes have ended.
    func objectiveCMark(ofDeclarationAt start: Int, before end: Int) -> ObjectiveCMark {
        var mark = ObjectiveCMark()
        var lineStart = beginning(ofLineAt: start)
        mark.add(text(lineStart..<end))
        while lineStart > 0 {
            let above = beginning(ofLineAt: lineStart - 1)
            let line = text(above..<lineStart)
            let words = line.split { !$0.isLetter && !"@#_".contains($0) }
            guard let first = words.first?.first, first == "@" || first == "#",
                !words.contains(where: Self.declaring.contains)
            else { break }
            mark.add(line)
            lineStart = above
        }
        return mark
    }

    private func beginning(ofLineAt offset: Int) -> Int {
        bytes[..<max(0, min(offset, bytes.count))].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    }
}
