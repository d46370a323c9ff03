// The difference of two texts as `patch` reads it.

/// Makes unified diffs.
enum UnifiedDiff {
    private static let context = 3

    fileprivate enum Line {
        case same(String), removed(String), added(String)
    }

    /// Empty for equal texts. Both names are the path's.
    static func text(path: String, old: String, new: String) -> String {
        let lines = compared(old.lines, new: new.lines)
        let hunks = hunks(lines)
        if hunks.isEmpty { return "" }
        return "--- a/\(path)\n+++ b/\(path)\n" + hunks.joined()
    }

    private static func compared(_ old: [String], new: [String]) -> [Line] {
        let difference = new.difference(from: old)
        var removed: Set<Int> = []
        var added: Set<Int> = []
        for change in difference {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): added.insert(offset)
            }
        }
        var lines: [Line] = []
        var (left, right) = (0, 0)
        while left < old.count || right < new.count {
            if removed.contains(left) {
                lines.append(.removed(old[left]))
                left += 1
            } else if added.contains(right) {
                lines.append(.added(new[right]))
                right += 1
            } else {
                lines.append(.same(old[left]))
                left += 1
                right += 1
            }
        }
        return lines
    }

    private static func hunks(_ lines: [Line]) -> [String] {
        var hunks: [String] = []
        var next = 0
        while let first = lines[next...].firstIndex(where: \.isChange) {
            // Changes with few lines between them share a hunk.
            var last = first
            while let following = lines[(last + 1)...].firstIndex(where: \.isChange),
                following - last <= 2 * context + 1
            {
                last = following
            }
            let range = max(next, first - context)..<min(lines.count, last + context + 1)
            hunks.append(hunk(lines, range: range))
            next = range.upperBound
        }
        return hunks
    }

    private static func hunk(_ lines: [Line], range: Range<Int>) -> String {
        let before = lines[..<range.lowerBound]
        let inside = lines[range]
        let (oldStart, newStart) = (before.count { !$0.isAdded }, before.count { !$0.isRemoved })
        let (oldCount, newCount) = (inside.count { !$0.isAdded }, inside.count { !$0.isRemoved })
        let head = "@@ -\(place(oldStart, count: oldCount)) +\(place(newStart, count: newCount)) @@\n"
        return head + inside.map(\.text).joined()
    }

    /// Lines count from 1; an empty range is named by the line before it.
    private static func place(_ start: Int, count: Int) -> String {
        "\(count == 0 ? start : start + 1)" + (count == 1 ? "" : ",\(count)")
    }
}

extension UnifiedDiff.Line {
    fileprivate var isAdded: Bool { if case .added = self { true } else { false } }
    fileprivate var isRemoved: Bool { if case .removed = self { true } else { false } }
    fileprivate var isChange: Bool { isAdded || isRemoved }

    fileprivate var text: String {
        let (mark, line) =
            switch self {
            case .same(let line): (" ", line)
            case .removed(let line): ("-", line)
            case .added(let line): ("+", line)
            }
        return mark + line + (line.hasSuffix("\n") ? "" : "\n\\ No newline at end of file\n")
    }
}

extension String {
    /// Lines with their ends.
    fileprivate var lines: [String] {
        var lines: [String] = []
        var rest = Substring(self)
        while let end = rest.utf8.firstIndex(of: UInt8(ascii: "\n")) {
            let next = rest.utf8.index(after: end)
            lines.append(String(rest[..<next]))
            rest = rest[next...]
        }
        return rest.isEmpty ? lines : lines + [String(rest)]
    }
}
