// Overrides in extensions, which Swift allows for Objective-C's methods only. They move into the class.

import Foundation

/// Moves overrides out of extensions, also into a class of another file.
struct ExtensionOverrides {
    /// The end of a class: its file, and the offset of its closing brace.
    private struct Place {
        let file: Int
        let brace: Int
    }

    private let files: [SourceFile]
    private var findings: [Findings]
    private let classes: [String: [Place]]
    private let generated: GeneratedClasses

    /// Each file as it is after the moves, with remarks on what can't be moved.
    static func moved(
        _ files: [SourceFile], generated: GeneratedClasses
    ) -> (files: [SourceFile], remarks: [[PortRemark]]) {
        var moves = ExtensionOverrides(files, generated: generated)
        for number in files.indices { moves.move(number) }
        let moved = zip(files, moves.findings).map { $0.applying($1) }
        return (moved, moves.findings.map(\.remarks))
    }

    private init(_ files: [SourceFile], generated: GeneratedClasses) {
        self.files = files
        self.generated = generated
        findings = files.map { _ in Findings() }
        var classes: [String: [Place]] = [:]
        for (number, file) in files.enumerated() {
            for index in file.tokens.indices where file.matches(["class", "_"], at: index) {
                guard !file.isForApple[index], let open = Self.body(file, start: index + 2),
                    let close = file.closing(open)
                else { continue }
                classes[file.tokens[index + 1].text, default: []].append(
                    Place(file: number, brace: file.tokens[close].range.lowerBound))
            }
        }
        self.classes = classes
    }

    /// The brace that opens the body of a type whose name stands before an index.
    private static func body(_ file: SourceFile, start: Int) -> Int? {
        for index in start..<file.tokens.count {
            if file.tokens[index].is("{") { return index }
            // `class func`, or the end of a declaration without a body.
            if ["func", "var", "}", ";", "subscript"].contains(file.tokens[index].text) { return nil }
        }
        return nil
    }

    private mutating func move(_ number: Int) {
        let file = files[number]
        for index in file.tokens.indices where file.matches(["extension", "_"], at: index) {
            guard !file.isForApple[index], let open = Self.body(file, start: index + 2),
                let close = file.closing(open)
            else { continue }
            let head = ExtensionHead(file, index: index, open: open)
            var depth = 0
            for position in (open + 1)..<close {
                switch file.tokens[position].text {
                case "{", "(", "[": depth += 1
                case "}", ")", "]": depth -= 1
                case "override" where depth == 0 && !file.isForApple[position]:
                    move(member: position, of: head, number)
                default: break
                }
            }
        }
    }

    private mutating func move(member position: Int, of head: ExtensionHead, _ number: Int) {
        let file = files[number]
        guard let places = classes[head.name], places.count == 1, !head.isConstrained,
            let member = member(position, in: file, after: head.open)
        else {
            if let changed = generatedOverride(position, of: head, in: file) {
                findings[number].replace(changed.range, with: changed.text)
                return
            }
            let owner = head.name.isEmpty ? "it" : head.name
            findings[number].remark(
                file, offset: file.tokens[position].range.lowerBound,
                text: "only the class itself can override: move this into \(owner)")
            return
        }
        let target = files[places[0].file]
        findings[number].replace(member.lines, with: "")
        let brace = places[0].brace
        let line = target.lineRange(at: brace)
        let end = target.firstVisible(line) == brace ? line.lowerBound : brace
        findings[places[0].file].replace(
            end..<end, with: "\n" + text(of: member, position: position, head: head, file: file))
    }

    /// The member as a class that the plugin makes can call it.
    private func generatedOverride(
        _ position: Int, of head: ExtensionHead, in file: SourceFile
    ) -> GeneratedOverride? {
        guard classes[head.name] == nil, generated.names.contains(head.name), !head.isConstrained,
            let close = file.closing(head.open)
        else { return nil }
        let member = file.declaredMembers(in: head.open...close).first {
            ($0.first..<$0.position).contains(position)
        }
        return member.flatMap {
            GeneratedOverride($0, of: head.name, in: file, isOnMainActor: generated.areOnMainActor)
        }
    }

    /// A member in the class, with the attributes and the access that its extension gave it.
    private func text(of member: Member, position: Int, head: ExtensionHead, file: SourceFile) -> String {
        let start = file.tokens[member.first].range.lowerBound
        let keyword = file.tokens[position].range.lowerBound
        let modifiers = file.tokens[member.first..<position]
        let hasAccess = modifiers.contains { ExtensionHead.accessLevels.contains($0.text) }
        let indentation = file.indentation(ofLine: file.lineRange(at: start))
        return file.text(member.lines.lowerBound..<start)
            + head.attributes.map { $0 + "\n" + indentation }.joined()
            + file.text(start..<keyword) + (hasAccess ? "" : head.access.map { $0 + " " } ?? "")
            + file.text(keyword..<member.lines.upperBound)
    }

    private struct Member {
        /// The token that begins it: an attribute, a modifier or the word itself.
        let first: Int
        /// Its lines, with its comments.
        let lines: Range<Int>
    }

    /// A member with its comments and attributes, if its lines hold nothing else.
    private func member(_ position: Int, in file: SourceFile, after open: Int) -> Member? {
        guard let body = bodyOfMember(position, in: file), let close = file.closing(body)
        else { return nil }
        // Modifiers and attributes before the word.
        var first = position
        while let earlier = file.modifier(before: first), earlier > open { first = earlier }
        var start = file.lineRange(at: file.tokens[first].range.lowerBound).lowerBound
        let floor = file.tokens[first - 1].range.upperBound
        if start < floor { return nil }
        // Lines of comments above it.
        while start > floor {
            let line = file.lineRange(at: start - 1)
            guard line.lowerBound >= floor,
                file.text(line.lowerBound..<line.upperBound)
                    .drop(while: { $0 == " " || $0 == "\t" }).hasPrefix("//")
            else { break }
            start = line.lowerBound
        }
        let end = file.lineRange(at: file.tokens[close].range.lowerBound).upperBound
        if let next = file.token(close + 1), next.range.lowerBound < end { return nil }
        return Member(first: first, lines: start..<min(end + 1, file.bytes.count))
    }

    /// The brace behind a member's parameters, whose default values may have braces of their own.
    private func bodyOfMember(_ position: Int, in file: SourceFile) -> Int? {
        var index = position
        while index < file.tokens.count {
            if file.tokens[index].is("{") { return index }
            if file.tokens[index].is("("), let close = file.closing(index) { index = close }
            index += 1
        }
        return nil
    }
}
