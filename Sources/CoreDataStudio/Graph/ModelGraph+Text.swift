// The picture in other programs' languages, and as lines for a terminal.

import Foundation

extension ModelGraph {
    /// The formats that a graph can be written in.
    public enum Format: String, Sendable, CaseIterable {
        /// A picture.
        case svg
        /// A class diagram of Mermaid's, which many web sites draw.
        case mermaid
        /// A class diagram of PlantUML's.
        case plantuml
        /// Lines for a terminal.
        case text
    }

    /// Returns the graph in a format, ended by a line feed.
    public func written(as format: Format) -> String {
        switch format {
        case .svg: svg
        case .mermaid: mermaid
        case .plantuml: plantUML
        case .text: text
        }
    }

    private var mermaid: String {
        var lines = ["classDiagram"]
        let names = identifiers()
        for box in boxes {
            let name = names[box.name] ?? box.name
            let label = name == box.name ? "" : "[\"\(Self.label(box.name))\"]"
            lines.append("    class \(name)\(label) {")
            if box.isAbstract { lines.append("        <<abstract>>") }
            for row in box.rows where row.kind == .attribute {
                lines.append(
                    "        \(Self.word(row.type))\(row.isOptional ? "?" : "") \(Self.word(row.name))")
            }
            lines.append("    }")
        }
        lines += inheritance(names).map { "    " + $0 }
        lines += self.lines.map { line in
            let (from, to) = (names[line.from] ?? "", names[line.to] ?? "")
            return "    \(from) \(Self.ends(line)) \(to) : \(Self.label(Self.names(of: line)))"
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private var plantUML: String {
        var lines = ["@startuml", "hide empty members"]
        let names = identifiers()
        for box in boxes {
            let name = names[box.name] ?? box.name
            let label = name == box.name ? name : "\"\(Self.label(box.name))\" as \(name)"
            lines.append("\(box.isAbstract ? "abstract class" : "class") \(label) {")
            for row in box.rows where row.kind == .attribute {
                lines.append(
                    "  \(Self.label(row.name)) : \(Self.label(row.type))\(row.isOptional ? "?" : "")")
            }
            lines.append("}")
        }
        lines += inheritance(names)
        lines += self.lines.map { line in
            let (from, to) = (names[line.from] ?? "", names[line.to] ?? "")
            return "\(from) \(Self.ends(line)) \(to) : \(Self.label(Self.names(of: line)))"
        }
        return (lines + ["@enduml"]).joined(separator: "\n") + "\n"
    }

    private func inheritance(_ names: [String: String]) -> [String] {
        boxes.compactMap { box in
            guard let parent = box.parent.flatMap({ names[$0] }), let name = names[box.name] else {
                return nil
            }
            return "\(parent) <|-- \(name)"
        }
    }

    private static func ends(_ line: Line) -> String {
        let far = line.isToMany ? "\"*\"" : "\"1\""
        guard line.inverse != nil else { return "--> \(far)" }
        return "\(line.isInverseToMany ? "\"*\"" : "\"1\"") -- \(far)"
    }

    static func names(of line: Line) -> String {
        [line.name, line.inverse].compactMap(\.self).joined(separator: " / ")
    }

    /// A name for each entity that every language takes.
    private func identifiers() -> [String: String] {
        var names: [String: String] = [:]
        for (number, box) in boxes.enumerated() {
            let isPlain =
                box.name.unicodeScalars.allSatisfy {
                    $0.isASCII && ($0.properties.isAlphabetic || "_0123456789".unicodeScalars.contains($0))
                }
                && !box.name.isEmpty
                && !["class", "end", "note", "namespace", "abstract", "interface", "enum"].contains(
                    box.name.lowercased())
            names[box.name] = isPlain ? box.name : "entity_\(number)"
        }
        return names
    }

    private static func word(_ text: String) -> String {
        let plain = text.unicodeScalars.map {
            CharacterSet.alphanumerics.contains($0) || $0 == "_" ? Character($0) : "_"
        }
        return String(plain)
    }

    private static func label(_ text: String) -> String {
        let plain = text.unicodeScalars.map { scalar in
            CharacterSet.controlCharacters.contains(scalar) || "\"\\{}[]<>;#`".unicodeScalars.contains(scalar)
                ? "_" : Character(scalar)
        }
        return String(plain)
    }

    // MARK: Terminal

    private var text: String {
        var parts: [String] = []
        for box in boxes {
            var head = box.name
            if let parent = box.parent { head += " : \(parent)" }
            if box.isAbstract { head += "  (abstract)" }
            let cells = box.rows.map { row in (row.name, words(row, of: box)) }
            let left = cells.map(\.0.count).max() ?? 0
            let lines = cells.map { $0.0 + String(repeating: " ", count: left - $0.0.count + 2) + $0.1 }
            let width = max(head.count, lines.map(\.count).max() ?? 0)
            func line(_ text: String) -> String {
                "│ " + Self.harmless(text) + String(repeating: " ", count: width - text.count) + " │"
            }
            let bar = String(repeating: "─", count: width + 2)
            var drawn = ["┌\(bar)┐", line(head)]
            if !lines.isEmpty { drawn += ["├\(bar)┤"] + lines.map(line) }
            parts.append((drawn + ["└\(bar)┘"]).joined(separator: "\n"))
        }
        return parts.joined(separator: "\n") + (parts.isEmpty ? "" : "\n")
    }

    private func words(_ row: Row, of box: Box) -> String {
        switch row.kind {
        case .attribute: return row.type + (row.isOptional ? "?" : "")
        case .fetched: return "⇢ \(row.type)"
        case .relationship:
            let line = lines.first { $0.from == box.name && $0.name == row.name }
            let other = lines.first { $0.to == box.name && $0.inverse == row.name }
            let inverse = line?.inverse ?? other?.name
            return "\(row.isToMany ? "↠" : "→") \(row.type)" + (inverse.map { ".\($0)" } ?? "")
        }
    }

    /// Returns the text with a mark for each character that a terminal would obey.
    private static func harmless(_ text: String) -> String {
        String(text.unicodeScalars.map { CharacterSet.controlCharacters.contains($0) ? "�" : Character($0) })
    }
}
