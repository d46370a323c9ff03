// Makes JSON of what the compiler prints.

/// Some compilers (6.3 is one) forget the brace that ends a type with attributes, as `@Sendable () -> Void`.
/// The next element of a list then gets an empty key.
enum DumpRepair {
    static func repaired(_ json: [UInt8]) -> [UInt8] {
        let mark = Array("\"type_attributed\"".utf8)
        let opening = Array("\"type_repr\":{".utf8)
        var text = json
        // From the end on, so that what is inside is whole before what is around it.
        for start in starts(of: mark, in: json).reversed() {
            guard let type = first(opening, in: text, from: start),
                let end = endOfObject(in: text, at: type + opening.count - 1)
            else { continue }
            text.insert(UInt8(ascii: "}"), at: end)
        }
        return withoutEmptyKeys(text)
    }

    private static func withoutEmptyKeys(_ text: [UInt8]) -> [UInt8] {
        let key = Array(",\"\":".utf8)
        var result: [UInt8] = []
        var position = 0
        for start in starts(of: key, in: text) {
            result += text[position...start]
            position = start + key.count
        }
        return result + text[position...]
    }

    private static func starts(of pattern: [UInt8], in text: [UInt8]) -> [Int] {
        var found: [Int] = []
        var position = 0
        while let next = first(pattern, in: text, from: position) {
            found.append(next)
            position = next + pattern.count
        }
        return found
    }

    private static func first(_ pattern: [UInt8], in text: [UInt8], from start: Int) -> Int? {
        guard let byte = pattern.first else { return nil }
        var position = start
        while position + pattern.count <= text.count, let next = text[position...].firstIndex(of: byte) {
            if text[next...].starts(with: pattern) { return next }
            position = next + 1
        }
        return nil
    }

    /// Behind the brace that closes the one at `start`.
    private static func endOfObject(in text: [UInt8], at start: Int) -> Int? {
        var depth = 0
        var isInString = false
        var position = start
        while position < text.count {
            switch text[position] {
            case UInt8(ascii: "\\") where isInString: position += 1
            case UInt8(ascii: "\""): isInString.toggle()
            case UInt8(ascii: "{") where !isInString: depth += 1
            case UInt8(ascii: "}") where !isInString:
                depth -= 1
                if depth == 0 { return position + 1 }
            default: break
            }
            position += 1
        }
        return nil
    }
}
