// The bundle of a class: packages have one for each target.

/// Names the bundle of the target where a class stands for it.
struct BundleRule {
    /// True if the sources are a target of a package that has resources.
    let hasBundle: Bool

    func apply(to file: SourceFile, _ findings: inout Findings) {
        for index in file.tokens.indices where file.matches(["Bundle", "(", "for", ":"], at: index) {
            guard !file.isForApple[index], let close = file.closing(index + 1) else { continue }
            let range = file.tokens[index].range.lowerBound..<file.tokens[close].range.upperBound
            if hasBundle {
                findings.replace(range, with: "Bundle.module")
            } else {
                findings.remark(
                    file, range.lowerBound,
                    "off Apple's systems a target's resources are in Bundle.module, if the package gives it any"
                )
            }
        }
    }
}
