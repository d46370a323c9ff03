// Members that an extension of NSManagedObject declares and classes override: only the Objective-C runtime has such members
// in tables. Elsewhere a protocol's extension has the member, and asks the class whether it has one of its own.

import Foundation

/// Leaves such members and their overrides to Apple's systems, with others beside them that do the same elsewhere.
struct BaseOverrideRule {
    /// A member of an extension or a class.
    private struct Member {
        let file: Int
        /// The extended class, or the class itself.
        let type: String
        let declared: DeclaredMember
        /// The brace that ends the type's body.
        let end: Int
    }

    private static let bases: Set<String> = ["NSManagedObject", "NSObject"]
    private let files: [SourceFile]

    /// The files with such members in conditions.
    static func applied(_ files: [SourceFile]) -> [SourceFile] {
        let rule = BaseOverrideRule(files: files)
        let extended = files.indices.flatMap { rule.members("extension", file: $0) }
            .filter { bases.contains($0.type) && !$0.declared.isOverride }
        guard !extended.isEmpty else { return files }
        let overrides = files.indices.flatMap { rule.members("class", file: $0) }
            .filter { $0.declared.isOverride }
        let superclasses = rule.superclasses()
        var findings = files.map { _ in Findings() }
        for base in extended {
            let own = overrides.filter { $0.declared.declaration == base.declared.declaration }
            // Below a class that has the member an override is one everywhere.
            let first = own.filter { !rule.inherits($0.type, from: Set(own.map(\.type)), superclasses) }
            guard !first.isEmpty, let parts = rule.parts(base) else { continue }
            rule.leave(base, parts: parts, findings: &findings[base.file])
            for member in first { rule.leave(member, parts: parts, findings: &findings[member.file]) }
        }
        return zip(files, findings).map { $0.applying($1) }
    }

    // MARK: Declarations

    /// A member as it stands in a protocol, and how it is called.
    private struct Parts {
        let name: String
        /// `class `, or nothing.
        let kind: String
        let access: String
        /// `func name(_ a: Int = 1) throws -> Int` and the same without default values.
        let head: String
        let requirement: String
        /// `try name(a)`, behind an operand.
        let arguments: String
        let effects: String

        var capitalized: String { name.prefix(1).uppercased() + name.dropFirst() }
    }

    private func parts(_ base: Member) -> Parts? {
        let (file, declared) = (files[base.file], base.declared)
        let name = file.tokens[declared.position + 1].text
        let tokens = declared.position..<declared.body.lowerBound
        let text = file.text(ofTokens: tokens)
        // A type of its own result, what generic code is made for, and setters.
        guard !file.tokens[tokens].contains(where: { ["Self", "where", "..."].contains($0.text) }),
            file.token(declared.position + 2)?.is("<") != true,
            file.accessors(in: declared.body).isDisjoint(with: ["set", "willSet", "didSet"])
        else { return nil }
        let access = ["open", "public"].contains { declared.words.contains($0) } ? "public " : ""
        let kind = declared.isOfClass ? "static " : ""
        guard file.tokens[declared.position].is("func") else {
            return Parts(
                name: name, kind: kind, access: access, head: text, requirement: text + " { get }",
                arguments: "", effects: "")
        }
        guard let close = file.closing(declared.position + 2),
            let arguments = file.forwardedArguments(open: declared.position + 2, close: close)
        else { return nil }
        var requirement = text
        for argument in file.arguments(open: declared.position + 2, close: close) {
            if let equals = file.tokens[argument].firstIndex(where: { $0.is("=") }) {
                let range =
                    file.tokens[equals - 1].range
                    .upperBound..<file.tokens[argument.upperBound - 1].range.upperBound
                requirement = requirement.replacingOccurrences(of: file.text(range), with: "")
            }
        }
        return Parts(
            name: name, kind: kind, access: access, head: text, requirement: requirement,
            arguments: arguments, effects: file.effects(ofCall: close..<declared.body.lowerBound))
    }

    // MARK: Changes

    /// The member in its condition, with `override` left out and calls of the superclass's led to the default elsewhere; and
    /// what the type needs behind its end.
    private func leave(_ member: Member, parts: Parts, findings: inout Findings) {
        let file = files[member.file]
        let isBase = Self.bases.contains(member.type)
        let lines =
            file.lineRange(at: file.tokens[member.declared.first].range.lowerBound)
            .lowerBound..<file.lineRange(
                at: file.tokens[member.declared.body.upperBound].range.lowerBound
            ).upperBound
        let text = file.text(lines)
        let indentation = file.indentation(ofLine: file.lineRange(at: lines.lowerBound))
        let elsewhere =
            words(member, isBase: isBase)
            + (isBase
                ? file.text(of: member.declared, renamed: "default\(parts.capitalized)")
                : ownText(member, parts: parts))
        findings.replace(
            lines,
            with: "\(indentation)#if canImport(ObjectiveC)\n\(text)\n\(indentation)#else\n"
                + "\(indentation)\(elsewhere)\n\(indentation)#endif")
        let end = file.lineRange(at: file.tokens[member.end].range.lowerBound).upperBound
        findings.replace(
            end..<end, with: isBase ? dispatch(member, parts: parts) : conformance(member, parts: parts))
    }

    /// The words before the member that count elsewhere.
    private func words(_ member: Member, isBase: Bool) -> String {
        let left: Set<String> = isBase ? ["override", "dynamic", "open"] : ["override", "dynamic"]
        let kept = member.declared.words.filter { !left.contains($0) && !$0.hasPrefix("@") }
        let access = isBase && member.declared.words.contains("open") ? ["public"] : []
        return (access + kept).map { $0 + " " }.joined()
    }

    private func ownText(_ member: Member, parts: Parts) -> String {
        let file = files[member.file]
        var text = ""
        var end = file.tokens[member.declared.position].range.lowerBound
        for index in member.declared.position...member.declared.body.upperBound {
            let token = file.tokens[index]
            text += file.text(end..<token.range.lowerBound)
            let isCall = token.is(parts.name) && file.matches(["super", "."], at: index - 2)
            text += isCall ? "default\(parts.capitalized)" : token.text
            end = token.range.upperBound
        }
        return text
    }

    private func dispatch(_ member: Member, parts: Parts) -> String {
        let (access, name, kind) = (parts.access, parts.capitalized, parts.kind)
        let type = kind.isEmpty ? "" : ".Type"
        return """


            #if !canImport(ObjectiveC)
            \(access)protocol Overriding\(name) { \(kind)\(parts.requirement) }
            \(access)protocol Inheriting\(name) {}
            extension \(member.type): Inheriting\(name) {}
            extension Inheriting\(name) where Self: \(member.type) {
                \(access)\(kind)\(parts.head) {
                    if let own = self as Any as? any Overriding\(name)\(type) { return \(parts.effects)own.\(parts.name)\(parts.arguments) }
                    return \(parts.effects)default\(name)\(parts.arguments)
                }
            }
            #endif
            """
    }

    private func conformance(_ member: Member, parts: Parts) -> String {
        """


        #if !canImport(ObjectiveC)
        extension \(member.type): Overriding\(parts.capitalized) {}
        #endif
        """
    }

    // MARK: Types

    private func superclasses() -> [String: String] {
        var found: [String: String] = [:]
        for file in files {
            for index in file.tokens.indices where file.matches(["class", "_", ":", "_"], at: index) {
                found[file.tokens[index + 1].text] = file.tokens[index + 3].text
            }
        }
        return found
    }

    private func inherits(_ type: String, from types: Set<String>, _ superclasses: [String: String]) -> Bool {
        var seen: Set<String> = [type]
        var above = superclasses[type]
        while let current = above, seen.insert(current).inserted {
            if types.contains(current) { return true }
            above = superclasses[current]
        }
        return false
    }

    private func members(_ kind: String, file number: Int) -> [Member] {
        let file = files[number]
        var depth = 0
        return file.tokens.indices.flatMap { index -> [Member] in
            if file.tokens[index].is("}") { depth -= 1 }
            defer { if file.tokens[index].is("{") { depth += 1 } }
            guard depth == 0, file.matches([kind, "_"], at: index), !file.isForApple[index],
                let open = file.tokens[index...].firstIndex(where: { $0.is("{") }),
                let close = file.closing(open)
            else { return [] }
            // `public extension`: its members are public where they don't say otherwise.
            let access = file.token(index - 1).map(\.text).flatMap { $0 == "public" ? $0 : nil }
            return file.declaredMembers(in: open...close).map { declared in
                var declared = declared
                if kind == "extension", let access,
                    ExtensionHead.accessLevels.isDisjoint(with: declared.words)
                {
                    declared.words.insert(access, at: 0)
                }
                return Member(
                    file: number, type: file.tokens[index + 1].text, declared: declared, end: close)
            }
        }
    }
}
