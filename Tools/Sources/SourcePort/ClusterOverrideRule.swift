// Overrides in extensions of Foundation's classes of what an extension of a superclass declares: only the Objective-C runtime
// has such methods in tables.

/// Leaves such overrides to Apple's systems, and has the overridden member tell the classes apart elsewhere.
struct ClusterOverrideRule {
    private static let superclasses = [
        "NSDecimalNumber": "NSNumber", "NSNumber": "NSValue", "NSMutableString": "NSString",
        "NSMutableArray": "NSArray", "NSMutableDictionary": "NSDictionary", "NSMutableSet": "NSSet",
        "NSCountedSet": "NSMutableSet", "NSMutableOrderedSet": "NSOrderedSet", "NSMutableData": "NSData",
        "NSMutableAttributedString": "NSAttributedString", "NSMutableURLRequest": "NSURLRequest",
        "NSMutableIndexSet": "NSIndexSet", "NSMutableCharacterSet": "NSCharacterSet",
    ]

    /// A member of an extension.
    private struct Member {
        let file: Int
        let type: String
        let declared: DeclaredMember
    }

    /// The files with such overrides taken into what they override.
    static func applied(_ files: [SourceFile]) -> [SourceFile] {
        let members = files.indices.flatMap { Self.members(files[$0], number: $0) }
        var findings = files.map { _ in Findings() }
        for override in members where override.declared.isOverride {
            guard let overridden = Self.overridden(by: override, among: members),
                let branch = Self.branch(override, files: files, in: overridden)
            else { continue }
            for edit in branch { findings[overridden.file].replace(edit.range, with: edit.replacement) }
            leave(override, file: files[override.file], findings: &findings[override.file])
        }
        return zip(files, findings).map { $0.applying($1) }
    }

    /// The member of the nearest superclass's extension with the same declaration.
    private static func overridden(by override: Member, among members: [Member]) -> Member? {
        var type = superclasses[override.type]
        while let current = type {
            let found = members.first {
                $0.type == current && $0.declared.declaration == override.declared.declaration
                    && !$0.declared.isOverride
            }
            if let found { return found }
            type = superclasses[current]
        }
        return nil
    }

    // MARK: Changes

    /// The branch that a member begins with, for objects of a subclass.
    private static func branch(
        _ override: Member, files: [SourceFile], in member: Member
    ) -> [Edit]? {
        let (file, target) = (files[override.file], files[member.file])
        let body = file.tokens[override.declared.body.lowerBound + 1..<override.declared.body.upperBound]
        let opening = target.tokens[member.declared.body.lowerBound].range.upperBound
        // `self` would be of another type there.
        guard !body.contains(where: { ["self", "Self", "super"].contains($0.text) }),
            let statements = Self.statements(file, body: override.declared.body),
            target.token(member.declared.body.lowerBound + 1) != nil,
            let others = self.statements(target, body: member.declared.body),
            target.lineRange(at: opening).upperBound == opening
        else { return nil }
        let first = target.tokens[member.declared.body.lowerBound + 1].range.lowerBound
        let indentation = target.indentation(ofLine: target.lineRange(at: first))
        let lines = [
            "#if !canImport(ObjectiveC)",
            "if self is \(override.type)\(override.declared.isOfClass ? ".Type" : "") {",
            "    " + statements.word + statements.text, "}", "#endif",
        ]
        let text = lines.map { "\n" + indentation + $0 }.joined()
        return [Edit(range: opening..<opening, replacement: text)]
            + (others.word.isEmpty ? [] : [Edit(range: first..<first, replacement: others.word)])
    }

    /// The text between braces, and `return ` if it is an expression that stands alone; nil for what isn't sure to be one or
    /// the other.
    private static func statements(_ file: SourceFile, body: ClosedRange<Int>) -> (
        word: String, text: String
    )? {
        let inside = body.lowerBound + 1..<body.upperBound
        guard let first = file.tokens[inside].first, !["get", "set"].contains(first.text) else { return nil }
        let text = file.text(ofTokens: inside)
        if file.tokens[inside].contains(where: { $0.is("return") }) { return ("", text) }
        return text.contains("\n") ? nil : ("return ", text)
    }

    private static func leave(_ override: Member, file: SourceFile, findings: inout Findings) {
        let first = file.lineRange(at: file.tokens[override.declared.first].range.lowerBound)
        let last = file.lineRange(at: file.tokens[override.declared.body.upperBound].range.lowerBound)
        let indentation = file.indentation(ofLine: first)
        findings.replace(
            first.lowerBound..<first.lowerBound, with: "\(indentation)#if canImport(ObjectiveC)\n")
        findings.replace(last.upperBound..<last.upperBound, with: "\n\(indentation)#endif")
    }

    // MARK: Members

    private static func members(_ file: SourceFile, number: Int) -> [Member] {
        file.tokens.indices.flatMap { index -> [Member] in
            guard file.matches(["extension", "_"], at: index), !file.isForApple[index],
                let open = file.tokens[index...].firstIndex(where: { $0.is("{") }),
                let close = file.closing(open)
            else { return [] }
            let type = file.tokens[index + 1].text
            guard superclasses[type] != nil || superclasses.values.contains(type) else { return [] }
            return file.declaredMembers(in: open...close).map {
                Member(file: number, type: type, declared: $0)
            }
        }
    }
}
