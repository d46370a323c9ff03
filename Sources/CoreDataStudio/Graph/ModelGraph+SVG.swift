// The picture as SVG: self-contained, light or dark as its reader prefers.

import CoreDataSupport

extension ModelGraph {
    var svg: String {
        let margin = 40
        let left = (boxes.map(\.x).min() ?? 0) - margin
        let top = (boxes.map(\.y).min() ?? 0) - margin
        let width = (boxes.map { $0.x + $0.width }.max() ?? 0) - left + margin
        let height = (boxes.map { $0.y + $0.height }.max() ?? 0) - top + margin
        var parts = [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"\(left) \(top) \(width) \(height)\" "
                + "width=\"\(width)\" height=\"\(height)\" role=\"img\" aria-label=\"Diagram of a data model\">",
            Self.head,
        ]
        for box in boxes {
            guard let parent = box.parent.flatMap({ self.box($0) }) else { continue }
            parts.append(
                "<path class=\"is\" d=\"\(Self.path(box, row: nil, to: parent, other: nil))\" marker-end=\"url(#is)\"/>"
            )
        }
        for line in lines {
            guard let from = box(line.from), let to = box(line.to) else { continue }
            parts.append(Self.drawn(line, from: from, to: to))
        }
        parts += boxes.map(Self.drawn)
        return (parts + ["</svg>"]).joined(separator: "\n") + "\n"
    }

    private static let head = """
        <style>
        svg { --ink: #1c2330; --soft: #647084; --paper: #ffffff; --edge: #aab4c3; --head: #e8eef8 }
        @media (prefers-color-scheme: dark) {
        svg { --ink: #e6eaf1; --soft: #9aa6b8; --paper: #1d232d; --edge: #4b5768; --head: #2a3443 } }
        text { font: 12px system-ui, sans-serif; fill: var(--ink) } .soft { fill: var(--soft) }
        .name { font-weight: 600; font-size: 13px } .abstract { font-style: italic }
        .box { fill: var(--paper); stroke: var(--edge) } .head { fill: var(--head) }
        .to, .is { fill: none; stroke: var(--soft); stroke-width: 1.4 } .is { stroke-dasharray: 5 3 }
        .mark { fill: none; stroke: var(--soft); stroke-width: 1.4 } .hollow { fill: var(--paper); stroke: var(--soft) }
        </style>
        <defs>
        <marker id="one" viewBox="0 0 12 10" refX="11" refY="5" markerWidth="12" markerHeight="10" \
        orient="auto-start-reverse"><path class="mark" d="M4 1 L11 5 L4 9"/></marker>
        <marker id="many" viewBox="0 0 18 10" refX="17" refY="5" markerWidth="18" markerHeight="10" \
        orient="auto-start-reverse"><path class="mark" d="M4 1 L11 5 L4 9 M10 1 L17 5 L10 9"/></marker>
        <marker id="is" viewBox="0 0 14 12" refX="13" refY="6" markerWidth="14" markerHeight="12" \
        orient="auto"><path class="hollow" d="M1 1 L13 6 L1 11 Z"/></marker>
        </defs>
        """

    private static func drawn(_ line: Line, from: Box, to: Box) -> String {
        let start =
            line.inverse == nil ? "" : " marker-start=\"url(#\(line.isInverseToMany ? "many" : "one"))\""
        let end = " marker-end=\"url(#\(line.isToMany ? "many" : "one"))\""
        let words = XMLText.escaped(harmless("\(line.from).\(names(of: line))"))
        let row = from.rows.firstIndex { $0.name == line.name }
        let other = line.inverse.flatMap { name in to.rows.firstIndex { $0.name == name } }
        return "<path class=\"to\" d=\"\(path(from, row: row, to: to, other: other))\"\(start)\(end)>"
            + "<title>\(words)</title></path>"
    }

    private static func drawn(_ box: Box) -> String {
        let (x, y) = (box.x, box.y)
        let style = box.isAbstract ? "name abstract" : "name"
        var parts = [
            "<g><rect class=\"box\" x=\"\(x)\" y=\"\(y)\" width=\"\(box.width)\" height=\"\(box.height)\" rx=\"6\"/>",
            "<path class=\"head\" d=\"M\(x + 1) \(y + headHeight - 4) v-19 q0 -6 6 -6 h\(box.width - 14) q6 0 6 6 v19 z\"/>",
            "<text class=\"\(style)\" x=\"\(x + 10)\" y=\"\(y + 18)\">\(XMLText.escaped(short(box.name, width: 185)))</text>",
        ]
        for (number, row) in box.rows.enumerated() {
            let base = y + headHeight + number * rowHeight + 10
            let mark = row.kind == .attribute ? "" : row.isToMany ? "↠ " : "→ "
            let name = short(row.name, width: 130)
            let left = box.width - 28 - Int(measure(name))
            let type = short(mark + row.type + (row.isOptional ? "?" : ""), width: left)
            parts.append("<text x=\"\(x + 10)\" y=\"\(base)\">\(XMLText.escaped(name))</text>")
            parts.append(
                "<text class=\"soft\" x=\"\(x + box.width - 10)\" y=\"\(base)\" text-anchor=\"end\">\(XMLText.escaped(type))</text>"
            )
        }
        return parts.joined(separator: "\n") + "</g>"
    }

    /// As much of a text as fits a width.
    private static func short(_ text: String, width: Int) -> String {
        let plain = harmless(text)
        if measure(plain) <= Double(width) { return plain }
        var shown = ""
        for character in plain {
            guard measure(shown) + 14 < Double(width) else { break }
            shown.append(character)
        }
        return shown + "…"
    }

    /// About how wide a text is in 12 point type.
    private static func measure(_ text: String) -> Double {
        text.reduce(0) { width, character in
            "iljtfrI.,'| ".contains(character)
                ? width + 4.2 : width + (character.isUppercase || character == "m" ? 8.8 : 7.1)
        }
    }

    /// The text without characters that XML can't hold.
    private static func harmless(_ text: String) -> String {
        String(text.unicodeScalars.filter { XMLText.obstacle(in: String($0)) == nil }.map(Character.init))
    }

    /// A curve from one box's side to the other's, beginning and ending at rows where the boxes stand side by
    /// side. The pages draw the same one.
    static func path(_ from: Box, row: Int?, to: Box, other: Int?) -> String {
        let (one, two) = (place(from, row: row), place(to, row: other))
        if from.name == to.name {
            let x = from.x + from.width
            let end = one.y == two.y ? two.y + 14 : two.y
            return "M\(x) \(one.y) C\(x + 44) \(one.y) \(x + 44) \(end) \(x) \(end)"
        }
        if from.x + from.width < to.x || to.x + to.width < from.x {
            let isRight = from.x < to.x
            let (x1, x2) = (isRight ? from.x + from.width : from.x, isRight ? to.x : to.x + to.width)
            let bend = max(30, abs(x2 - x1) / 2) * (isRight ? 1 : -1)
            return "M\(x1) \(one.y) C\(x1 + bend) \(one.y) \(x2 - bend) \(two.y) \(x2) \(two.y)"
        }
        let isBelow = from.y < to.y
        let (y1, y2) = (isBelow ? from.y + from.height : from.y, isBelow ? to.y : to.y + to.height)
        let bend = max(24, abs(y2 - y1) / 2) * (isBelow ? 1 : -1)
        return "M\(one.x) \(y1) C\(one.x) \(y1 + bend) \(two.x) \(y2 - bend) \(two.x) \(y2)"
    }

    /// Returns the place at which lines of a row leave a box: the distance to the right above and
    /// below, and down at its sides.
    private static func place(_ box: Box, row: Int?) -> (x: Int, y: Int) {
        let middle = box.x + box.width / 2
        guard let row else { return (middle, box.y + headHeight / 2) }
        let shift = (2 * row - box.rows.count + 1) * 5
        return (middle + min(max(shift, -95), 95), box.y + headHeight + row * rowHeight + 6)
    }
}
