// The ends of a file's lines, which git on Windows and editors leave in a source model: `\r\n` in all lines, or in some.

import Foundation

enum LineEnds {
    private static let feed = UInt8(ascii: "\n")
    private static let carriage = UInt8(ascii: "\r")

    /// A text whose lines end with `\n`, with the ends that an older text's lines have: a line that it has too ends as there, a new
    /// one as most do.
    static func restored(in data: Data, of old: Data?) -> Data {
        guard let old, old.contains(carriage) else { return data }
        var known: [Data: [Bool]] = [:]
        var excess = 0
        // Behind the last line feed is no line with an end.
        for line in old.split(separator: feed, omittingEmptySubsequences: false).dropLast() {
            let isLong = line.last == carriage
            known[isLong ? line.dropLast() : line, default: []].append(isLong)
            excess += isLong ? 1 : -1
        }
        // Those of one text, as </entity>, come in their order.
        for key in known.keys { known[key]?.reverse() }
        var result = Data(capacity: data.count + data.count / 16)
        let lines = data.split(separator: feed, omittingEmptySubsequences: false)
        for (place, line) in lines.enumerated() {
            result += line
            guard place < lines.count - 1 else { break }
            if known[line]?.popLast() ?? (excess > 0) { result.append(carriage) }
            result.append(feed)
        }
        return result
    }
}
