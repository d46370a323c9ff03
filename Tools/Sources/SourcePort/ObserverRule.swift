// `#selector` names a method for the Objective-C runtime. Observers of notifications can be blocks instead.

/// Registers notification observers as blocks, and points out other uses of selectors.
struct ObserverRule {
    private static let others: Set<String> = ["Selector", "NSSelectorFromString", "performSelector"]

    private static let runtime: Set<String> = [
        "objc_allocateClassPair", "class_addMethod", "class_replaceMethod", "method_exchangeImplementations",
        "method_setImplementation", "class_getInstanceMethod", "class_getClassMethod",
        "imp_implementationWithBlock", "object_setClass",
    ]

    /// The values that a block passes on to a method, by the type of its parameter.
    private static let arguments = [
        "Notification": "notification", "Foundation.Notification": "notification",
        "NSNotification": "notification as NSNotification",
    ]

    func apply(to file: SourceFile, _ findings: inout Findings) {
        for (index, token) in file.tokens.enumerated() where !file.isForApple[index] {
            if token.text == "addObserver" { observer(file, index: index, findings: &findings) }
            if token.kind == .pound, token.text == "#selector" {
                remark(file, index: index, findings: &findings)
            }
            if Self.others.contains(token.text), file.token(index + 1)?.is("(") == true,
                !isQuestion(file, index: index)
            {
                findings.remark(
                    file, offset: token.range.lowerBound, text: "selectors need the Objective-C runtime")
            }
            if Self.runtime.contains(token.text), file.token(index + 1)?.is("(") == true {
                findings.remark(
                    file, offset: token.range.lowerBound,
                    text: "\(token.text) needs the Objective-C runtime: classes are made by the "
                        + "compiler only, and methods stay as they are")
            }
        }
    }

    /// `responds(to: Selector(key))`, which AppleShims answers.
    private func isQuestion(_ file: SourceFile, index: Int) -> Bool {
        file.matches(["(", "to", ":"], at: index - 3)
            && ["responds", "instancesRespond"].contains(file.token(index - 4)?.text ?? "")
    }

    private func remark(_ file: SourceFile, index: Int, findings: inout Findings) {
        let offset = file.tokens[index].range.lowerBound
        guard !findings.edits.contains(where: { $0.range.contains(offset) }) else { return }
        findings.remark(
            file, offset: offset,
            text: "#selector needs the Objective-C runtime: use a closure, or keep it for Apple's systems")
    }

    /// `center.addObserver(self, selector: #selector(saved(_:)), name: .saved, object: context)`
    private func observer(_ file: SourceFile, index: Int, findings: inout Findings) {
        guard file.matches(["(", "self", ",", "selector", ":", "#selector", "("], at: index + 1),
            let close = file.closing(index + 1), let inner = file.closing(index + 7),
            let method = method(file, range: (index + 8)..<inner), let call = call(file, method: method)
        else { return }
        let arguments = file.arguments(open: index + 1, close: close)
        guard arguments.count == 4, file.matches(["name", ":"], at: arguments[2].lowerBound),
            file.matches(["object", ":"], at: arguments[3].lowerBound),
            let start = statementStart(file, index: index)
        else { return }
        let name = file.text(ofTokens: arguments[2].lowerBound + 2..<arguments[2].upperBound)
        let object = file.text(ofTokens: arguments[3].lowerBound + 2..<arguments[3].upperBound)
        findings.replace(start..<start, with: "_ = ")
        findings.replace(
            file.tokens[index + 1].range.lowerBound..<file.tokens[close].range.upperBound,
            with:
                "(forName: \(name), object: \(object), queue: nil) { [weak self] \(call.parameter) in\(call.body) }"
        )
        guard isRemoved(file) else { return }
        findings.remark(
            file, offset: start,
            text:
                "removeObserver(self) doesn't end an observer that is a block: keep what addObserver returns, and remove "
                + "that")
    }

    /// Indicates whether the file ends observers while their object lives: a block does nothing once it is gone. Observers of key
    /// paths are others.
    private func isRemoved(_ file: SourceFile) -> Bool {
        let ends = file.tokens.indices.filter { file.matches(["deinit", "{"], at: $0) }.map {
            $0..<(file.closing($0 + 1) ?? $0)
        }
        return file.tokens.indices.contains { index in
            file.matches(["removeObserver", "(", "self"], at: index)
                && !file.matches([",", "forKeyPath", ":"], at: index + 3)
                && !ends.contains { $0.contains(index) }
        }
    }

    /// The name of the method in `#selector(…)`.
    private func method(_ file: SourceFile, range: Range<Int>) -> String? {
        let names = file.tokens[range].prefix { !$0.is("(") }.filter { $0.kind == .identifier }
        return names.last?.text
    }

    /// Returns the block's call of the method, which the file must declare.
    private func call(_ file: SourceFile, method: String) -> (parameter: String, body: String)? {
        guard let index = file.tokens.indices.first(where: { file.matches(["func", method, "("], at: $0) }),
            let close = file.closing(index + 2)
        else { return nil }
        let parameters = file.arguments(open: index + 2, close: close)
        if parameters.isEmpty { return ("_", " self?.\(method)()") }
        guard parameters.count == 1, let colon = parameters[0].first(where: { file.tokens[$0].is(":") })
        else { return nil }
        let type = file.text(ofTokens: colon + 1..<parameters[0].upperBound)
        guard let argument = Self.arguments[type] else { return nil }
        let label = file.tokens[parameters[0].lowerBound].text
        return ("notification", " self?.\(method)(\(label == "_" ? "" : label + ": ")\(argument))")
    }

    /// Returns the index at which the expression begins, if it is a statement of its own.
    private func statementStart(_ file: SourceFile, index: Int) -> Int? {
        var first = index
        while first >= 2, file.tokens[first - 1].is(".") {
            first -= 2
            if file.tokens[first].is(")") { return nil }
        }
        let start = file.tokens[first].range.lowerBound
        let line = file.lineRange(at: start)
        return file.firstVisible(line) == start ? start : nil
    }
}
