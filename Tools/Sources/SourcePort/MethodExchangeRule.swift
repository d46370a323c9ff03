// Observers whose method was exchanged with `observeValue` by the Objective-C runtime, since they couldn't override it.

/// Lets them override it elsewhere. `KeyValueRule` then gives them the superclass that has the method.
struct MethodExchangeRule {
    /// Calls of the method by another type of its dictionary.
    private static let changes = [
        "[NSKeyValueChangeKey:Any]?": "change",
        "[NSString:Any]?":
            "change.map { Dictionary(uniqueKeysWithValues: $0.map { ($0.key.rawValue as NSString, $0.value) }) }",
        "[String:Any]?":
            "change.map { Dictionary(uniqueKeysWithValues: $0.map { ($0.key.rawValue, $0.value) }) }",
    ]
    private static let labels = "(forKeyPath:of:change:context:)"

    /// The files with such exchanges left to Apple's systems.
    static func applied(_ files: [SourceFile]) -> [SourceFile] {
        files.map { file in
            var findings = Findings()
            for index in file.tokens.indices
            where file.matches(["method_exchangeImplementations", "("], at: index) && !file.isForApple[index]
            {
                exchange(file, index: index, findings: &findings)
            }
            return file.applying(findings)
        }
    }

    private static func exchange(_ file: SourceFile, index: Int, findings: inout Findings) {
        guard let close = file.closing(index + 1) else { return }
        let names = file.arguments(open: index + 1, close: close).map { file.text(ofTokens: $0) }
        let methods = names.compactMap { method(file, named: $0, before: index) }
        guard methods.count == 2, let own = methods.first(where: { $0.name != "observeValue" }),
            methods.contains(where: { $0.name == "observeValue" }),
            let start = methods.map(\.start).min(),
            let (override, end) = Self.override(file, of: own.name)
        else { return }
        let first = firstLine(file, start: start)
        let last = file.lineRange(at: file.tokens[close].range.lowerBound)
        findings.replace(first..<first, with: "#if canImport(ObjectiveC)\n")
        findings.replace(last.upperBound..<last.upperBound, with: "\n#endif")
        findings.replace(end..<end, with: override)
    }

    /// `let name = class_getInstanceMethod(…, #selector(method(forKeyPath:of:change:context:)))!`
    private static func method(
        _ file: SourceFile, named name: String, before index: Int
    ) -> (name: String, start: Int)? {
        let start = file.tokens.indices.prefix(index).last {
            file.matches(["let", name, "=", "class_getInstanceMethod", "("], at: $0)
        }
        guard let start, let close = file.closing(start + 4),
            let selector = file.tokens[start..<close].firstIndex(where: { $0.is("#selector") }),
            let end = file.closing(selector + 1)
        else { return nil }
        let path = file.tokens[selector + 2..<end].map(\.text).joined()
        guard path.hasSuffix(labels) else { return nil }
        let method = path.dropLast(labels.count).split(separator: ".").last
        return method.map { (String($0), start) }
    }

    /// The start of the line of a statement, or of the one above that names the class for it.
    private static func firstLine(_ file: SourceFile, start: Int) -> Int {
        let line = file.lineRange(at: file.tokens[start].range.lowerBound)
        guard line.lowerBound > 0 else { return 0 }
        let above = file.lineRange(at: line.lowerBound - 1)
        let statement = file.tokens[..<start].lastIndex { $0.range.lowerBound < above.lowerBound }
        let isClass = file.matches(["let", "_", ":", "AnyClass", "="], at: (statement ?? -1) + 1)
        return isClass ? above.lowerBound : line.lowerBound
    }

    /// The override that calls an observer's own method, and the place behind that method where it belongs.
    private static func override(_ file: SourceFile, of name: String) -> (text: String, place: Int)? {
        let function = file.tokens.indices.first { file.matches(["func", name, "("], at: $0) }
        guard let function, let end = file.closing(function + 2),
            let open = file.tokens[end...].firstIndex(where: { $0.is("{") }), let close = file.closing(open),
            !file.tokens.indices.contains(where: {
                file.matches(["override", "func", "observeValue"], at: $0)
            })
        else { return nil }
        let arguments = file.arguments(open: function + 2, close: end)
        guard arguments.count == 4, file.matches(["change", ":"], at: arguments[2].lowerBound) else {
            return nil
        }
        let type = file.tokens[arguments[2].lowerBound + 2..<arguments[2].upperBound].map(\.text).joined()
        guard let change = changes[type] else { return nil }
        let line = file.lineRange(at: file.tokens[close].range.lowerBound)
        let indentation = file.indentation(ofLine: line)
        let access = isPublicClass(file, around: function) ? "public " : ""
        let lines = [
            "", "#if !canImport(ObjectiveC)", "\(access)override func observeValue(",
            "    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,",
            "    context: UnsafeMutableRawPointer?", ") {",
            "    \(name)(forKeyPath: keyPath, of: object, change: \(change), context: context)", "}",
            "#endif",
        ]
        return (lines.map { "\n" + ($0.isEmpty ? "" : indentation + $0) }.joined(), line.upperBound)
    }

    /// Returns whether other modules see the class of a member, so that they must see what it overrides.
    private static func isPublicClass(_ file: SourceFile, around member: Int) -> Bool {
        let type = file.tokens.indices.prefix(member).last { index in
            guard file.matches(["class", "_"], at: index),
                let open = file.tokens[index...].firstIndex(where: { $0.is("{") }),
                let close = file.closing(open)
            else { return false }
            return open < member && member < close
        }
        var first = type
        while let index = first {
            if ["public", "open"].contains(file.tokens[index].text) { return true }
            first = file.modifier(before: index)
        }
        return false
    }
}
