// Literal characters of a regular expression that are compared without case, as ICU folds them.

/// ICU folds both texts in full (`ß` is `ss`) and compares them, but never ends within a character.
struct FoldedLiteral {
    /// The characters, each of which folds to one.
    private let folded: [Unicode.Scalar]
    /// For each of them those that fold to it.
    private let equals: [[Unicode.Scalar]]

    init(_ literal: [Unicode.Scalar]) {
        folded = literal.flatMap { Self.expansions[$0] ?? [$0] }
        var known: [Unicode.Scalar: [Unicode.Scalar]] = [:]
        equals = folded.map { scalar in
            if let found = known[scalar] { return found }
            let found = Self.equals(of: scalar)
            known[scalar] = found
            return found
        }
    }

    /// As PostgreSQL has it; `nil` where there were too many ways.
    var expression: String? {
        var (text, start) = ("", 0)
        while start < folded.count {
            // Up to where no character that folds to several goes on.
            var (end, index) = (start + 1, start)
            while index < end {
                if folded.count > 1 { end = max(end, index + (jumps(from: index).map(\.length).max() ?? 1)) }
                index += 1
            }
            var ways: [String] = []
            guard collect(from: start, to: end, before: "", into: &ways) else { return nil }
            text += ways.count == 1 ? ways[0] : "(?:\(ways.joined(separator: "|")))"
            start = end
        }
        return text
    }

    /// Adds all ways to make characters of the text.
    private func collect(from start: Int, to end: Int, before: String, into ways: inout [String]) -> Bool {
        if start == end {
            ways.append(before)
            return ways.count <= 64
        }
        guard collect(from: start + 1, to: end, before: before + set(equals[start]), into: &ways)
        else { return false }
        let jumps = folded.count > 1 ? jumps(from: start) : []
        for (length, scalars) in Dictionary(grouping: jumps, by: \.length).sorted(by: { $0.key < $1.key })
        where start + length <= end {
            guard
                collect(
                    from: start + length, to: end, before: before + set(scalars.map(\.scalar)), into: &ways)
            else { return false }
        }
        return true
    }

    /// The characters that fold to several which stand here.
    private func jumps(from start: Int) -> [(scalar: Unicode.Scalar, length: Int)] {
        Self.expansions.filter { _, parts in
            start + parts.count <= folded.count
                && parts.indices.allSatisfy { equals[start + $0].contains(parts[$0]) }
        }
        .map { ($0.key, $0.value.count) }.sorted { $0.scalar < $1.scalar }
    }

    private func set(_ scalars: [Unicode.Scalar]) -> String {
        scalars.count == 1
            ? PatternCharacters.escaped(scalars[0])
            : "[\(scalars.map(PatternCharacters.escaped).joined())]"
    }

    // MARK: As ICU has them

    /// The characters that have case, in one text.
    private static let cased: String = {
        guard
            let ranges = PatternCharacters.ranges(
                of: #"[\p{Changes_When_Casemapped}\p{Changes_When_Casefolded}]"#, ignoresCase: false)
        else { return "" }
        let ends = Array(ranges.unicodeScalars)
        var (text, index) = (String.UnicodeScalarView(), 0)
        while index < ends.count {
            let isRange = index + 2 < ends.count && ends[index + 1] == "-"
            for number in ends[index].value...ends[isRange ? index + 2 : index].value {
                if let scalar = Unicode.Scalar(number) { text.append(scalar) }
            }
            index += isRange ? 3 : 1
        }
        return String(text)
    }()

    private static let casedSet = Set(cased.unicodeScalars)

    private static func equals(of scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        guard casedSet.contains(scalar),
            let found = PatternCharacters.found(by: String(scalar), ignoresCase: true, in: cased)
        else { return [scalar] }
        let units = Array(cased.utf16)
        return found.compactMap { String(decoding: units[$0], as: UTF16.self).unicodeScalars.first }
    }

    /// The characters that fold to several.
    private static let expansions: [Unicode.Scalar: [Unicode.Scalar]] = {
        // Its own capital is itself.
        var found: [Unicode.Scalar: [Unicode.Scalar]] = ["\u{1E9E}": ["s", "s"]]
        for scalar in cased.unicodeScalars {
            let (large, small) = (scalar.properties.uppercaseMapping, scalar.properties.lowercaseMapping)
            guard max(large.unicodeScalars.count, small.unicodeScalars.count) > 1 else { continue }
            found[scalar] = large.unicodeScalars.flatMap {
                Array($0.properties.lowercaseMapping.unicodeScalars)
            }
        }
        return found
    }()
}
