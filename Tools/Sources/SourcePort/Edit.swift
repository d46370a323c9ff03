// Changes of a source, and remarks on what remains.

/// A piece of a source with what stands there instead.
struct Edit {
    let range: Range<Int>
    let replacement: String
}

/// Something that a person has to look at.
public struct PortRemark: Sendable, Hashable, CustomStringConvertible {
    public let path: String
    public let line: Int
    public let text: String

    /// `path:line: note: …`, as compilers print notes.
    public var description: String { "\(path):\(line): note: \(text)" }
}

/// The findings of the rules about one file.
struct Findings {
    private(set) var edits: [Edit] = []
    private(set) var remarks: [PortRemark] = []
    /// The declarations of `PortSupport` that edits use.
    var support: Set<PortSupport> = []

    /// Takes an edit unless it overlaps an earlier one. Several insertions at one place follow each other.
    mutating func replace(_ range: Range<Int>, with text: String) {
        let overlaps = edits.contains { edit in
            edit.range.overlaps(range) || (!range.isEmpty && !edit.range.isEmpty && edit.range == range)
        }
        if !overlaps { edits.append(Edit(range: range, replacement: text)) }
    }

    mutating func remark(_ file: SourceFile, offset: Int, text: String) {
        remarks.append(PortRemark(path: file.path, line: file.line(at: offset), text: text))
    }

    /// The source with all edits.
    func applied(to bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var position = 0
        // An insertion at a place stands before a replacement of the text there.
        let ordered = edits.enumerated().sorted { one, other in
            let (a, b) = (one.element.range, other.element.range)
            return (a.lowerBound, a.isEmpty ? 0 : 1, one.offset) < (
                b.lowerBound, b.isEmpty ? 0 : 1, other.offset
            )
        }
        for edit in ordered.map(\.element) where edit.range.lowerBound >= position {
            result += bytes[position..<edit.range.lowerBound]
            result += edit.replacement.utf8
            position = edit.range.upperBound
        }
        return result + bytes[position...]
    }
}
