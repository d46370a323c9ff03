// `self.init(…)` in class methods of extensions of Foundation's classes: off Apple's systems only required initialisers make
// objects of `Self`, and Foundation's aren't required.

/// Makes objects of the class itself there.
struct SelfRule {
    /// Classes of Foundation that an extension's class methods make objects of.
    private static let classes: Set<String> = [
        "NSArray", "NSAttributedString", "NSCalendar", "NSCharacterSet", "NSData", "NSDate",
        "NSDecimalNumber",
        "NSDictionary", "NSError", "NSIndexSet", "NSLocale", "NSMutableArray", "NSMutableAttributedString",
        "NSMutableData", "NSMutableDictionary", "NSMutableSet", "NSMutableString", "NSNumber", "NSOrderedSet",
        "NSSet", "NSString", "NSTimeZone", "NSURL", "NSURLRequest", "NSUUID", "NSValue",
    ]

    func apply(to file: SourceFile, _ findings: inout Findings) {
        var name: String?
        var bodies: [(close: Int, isOptional: Bool)] = []
        for index in file.tokens.indices {
            bodies.removeAll { $0.close < index }
            if file.matches(["extension", "_"], at: index) { name = file.tokens[index + 1].text }
            guard !file.isForApple[index], let name, Self.classes.contains(name) else { continue }
            if file.tokens[index].is("func"), let body = body(file, ofFunction: index) { bodies.append(body) }
            if let body = bodies.last {
                replace(file, index: index, name: name, isOptional: body.isOptional, findings: &findings)
            }
        }
    }

    /// The end of a class method's body that returns `Self`, and whether it may return nil.
    private func body(_ file: SourceFile, ofFunction index: Int) -> (close: Int, isOptional: Bool)? {
        guard ["class", "static"].contains(file.token(index - 1)?.text ?? ""),
            let parameters = file.tokens[index...].firstIndex(where: { $0.is("(") }),
            let end = file.closing(parameters),
            let open = file.tokens[end...].firstIndex(where: { $0.is("{") }), let close = file.closing(open),
            file.matches(["-", ">", "Self"], at: open - 3)
                || file.matches(["-", ">", "Self", "?"], at: open - 4)
        else { return nil }
        return (close, file.tokens[open - 1].is("?"))
    }

    /// `return self.init(…)` on a line of its own, as it is on Apple's systems and with the class's name elsewhere.
    private func replace(
        _ file: SourceFile, index: Int, name: String, isOptional: Bool, findings: inout Findings
    ) {
        guard file.matches(["self", ".", "init", "("], at: index), let close = file.closing(index + 3) else {
            return
        }
        let isReturned = file.token(index - 1)?.is("return") == true
        let first = file.tokens[isReturned ? index - 1 : index].range.lowerBound
        let (start, end) = (file.lineRange(at: first), file.tokens[close].range.upperBound)
        let line = start.lowerBound..<file.lineRange(at: end).upperBound
        guard file.firstVisible(start) == first,
            file.token(close + 1).map({ $0.range.lowerBound >= line.upperBound }) ?? true
        else {
            findings.remark(
                file, offset: file.tokens[index].range.lowerBound,
                text:
                    "off Apple's systems only required initialisers make objects of Self: \(name)(…) as\(isOptional ? "?" : "!") Self"
            )
            return
        }
        let arguments = file.text(file.tokens[index + 3].range.lowerBound..<end)
        let indentation = file.indentation(ofLine: start)
        // Without subclasses the cast always holds.
        let cast = isOptional ? "as?" : "as!"  // written, not done here
        let made = "\(indentation)return \(name)\(arguments) \(cast) Self"
        findings.replace(
            line, with: "#if canImport(ObjectiveC)\n\(file.text(line))\n#else\n\(made)\n#endif")
    }
}
