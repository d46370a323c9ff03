// RFC 3492, with the digits that Swift's names use: letters only, and `_` before them.

enum Punycode {
    static func encoded(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { Int($0.value) }
        let basic = scalars.filter { $0 < 0x80 }
        var output = basic.compactMap(UnicodeScalar.init).map(Character.init)
        if !output.isEmpty { output.append("_") }
        var (next, delta, bias) = (0x80, 0, 72)
        var handled = basic.count
        while handled < scalars.count, let smallest = scalars.filter({ $0 >= next }).min() {
            delta += (smallest - next) * (handled + 1)
            next = smallest
            for scalar in scalars {
                if scalar < next { delta += 1 }
                guard scalar == next else { continue }
                output += digits(of: delta, bias: bias)
                bias = adapted(delta, count: handled + 1, isFirst: handled == basic.count)
                delta = 0
                handled += 1
            }
            delta += 1
            next += 1
        }
        return String(output)
    }

    private static func digits(of number: Int, bias: Int) -> [Character] {
        var output: [Character] = []
        var rest = number
        var position = 36
        while true {
            let threshold = min(max(position - bias, 1), 26)
            if rest < threshold { return output + [digit(rest)] }
            output.append(digit(threshold + (rest - threshold) % (36 - threshold)))
            rest = (rest - threshold) / (36 - threshold)
            position += 36
        }
    }

    /// `a` to `z`, then `A` to `J`.
    private static func digit(_ value: Int) -> Character {
        Character(UnicodeScalar(UInt8(value < 26 ? 97 + value : 65 + value - 26)))
    }

    private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / count
        var position = 0
        while delta > 455 {
            delta /= 35
            position += 36
        }
        return position + 36 * delta / (delta + 38)
    }
}
