// The bundle of a class: packages have one for each target.

/// Names the target's bundle where a class stands for it. A target without resources asks for those of the class's module.
struct BundleRule {
    /// True if the sources are a target of a package that has resources.
    let hasBundle: Bool
    /// The classes that the target declares.
    let classes: Set<String>

    func apply(to file: SourceFile, _ findings: inout Findings) {
        byIdentifier(file, findings: &findings)
        for index in file.tokens.indices where file.matches(["Bundle", "(", "for", ":"], at: index) {
            guard !file.isForApple[index], let close = file.closing(index + 1) else { continue }
            let range = file.tokens[index].range.lowerBound..<file.tokens[close].range.upperBound
            if hasBundle, !isElsewhere(file, start: index + 4, close: close) {
                findings.replace(range, with: "Bundle.module")
            } else {
                let argument = file.text(ofTokens: index + 4..<close)
                findings.replace(range, with: "Bundle.containing(\(argument))")
                findings.support.insert(.bundles)
            }
        }
    }

    /// `Store.self` where the class is another module's.
    private func isElsewhere(_ file: SourceFile, start: Int, close: Int) -> Bool {
        close >= start + 3 && file.matches([".", "self"], at: close - 2)
            && file.tokens[close - 3].text != "Self" && !classes.contains(file.tokens[close - 3].text)
    }

    /// `Bundle(identifier: "com.example.Model")` is an optional bundle.
    private func byIdentifier(_ file: SourceFile, findings: inout Findings) {
        for index in file.tokens.indices where file.matches(["Bundle", "(", "identifier", ":"], at: index) {
            guard !file.isForApple[index], let close = file.closing(index + 1) else { continue }
            let start = file.tokens[index].range.lowerBound
            if hasBundle {
                let isForced = file.token(close + 1)?.is("!") == true
                findings.replace(
                    start..<file.tokens[isForced ? close + 1 : close].range.upperBound,
                    with: isForced ? "Bundle.module" : "Optional(Bundle.module)")
            } else {
                findings.remark(
                    file, offset: start,
                    text:
                        "off Apple's systems only programs have identifiers: a target's resources are in Bundle.module, if "
                        + "the package gives it any")
            }
        }
    }
}
