// Modules that only Apple's systems have.

/// Imports them where they are.
struct ImportRule {
    private static let modules: Set<String> = [
        "UIKit", "AppKit", "Cocoa", "SwiftUI", "Combine", "CloudKit", "CoreSpotlight", "WidgetKit",
        "CoreLocation",
        "MapKit", "os", "OSLog",
    ]

    func apply(to file: SourceFile, _ findings: inout Findings) {
        for index in file.tokens.indices where file.tokens[index].is("import") && !file.isForApple[index] {
            guard let module = file.token(index + 1), Self.modules.contains(module.text) else { continue }
            let line = file.lineRange(at: file.tokens[index].range.lowerBound)
            guard file.firstVisible(line) == file.tokens[index].range.lowerBound else { continue }
            let text = file.text(line)
            findings.replace(line, with: "#if canImport(\(module.text))\n\(text)\n#endif")
            findings.remark(
                file, line.lowerBound,
                "only Apple's systems have \(module.text): what the file uses of it must go "
                    + "into the same condition")
        }
    }
}
