// Modules that only Apple's systems have.

import Foundation

/// Imports them where they are.
struct ImportRule {
    /// The products that the target's manifest gives it.
    var products: Set<String> = []

    func apply(to file: SourceFile, _ findings: inout Findings) {
        for index in file.tokens.indices where file.tokens[index].is("import") && !file.isForApple[index] {
            guard let module = Self.module(file, index: index), AppleModules.names.contains(module) else {
                continue
            }
            let line = file.lineRange(at: file.tokens[index].range.lowerBound)
            guard onlyAttributesPrecede(file, line: line, index: index) else { continue }
            let text = file.text(line)
            if let substitute = ShimRule.substitutes[module] {
                let other = text.replacingOccurrences(of: module, with: substitute)
                findings.replace(line, with: "#if canImport(\(module))\n\(text)\n#else\n\(other)\n#endif")
                if products.contains(substitute) { continue }
                findings.remark(
                    file, offset: line.lowerBound,
                    text:
                        "\(substitute) takes the place of \(module) off Apple's systems: add that product to the "
                        + "target's dependencies, with the trait \(module) of its package")
                continue
            }
            findings.replace(line, with: "#if canImport(\(module))\n\(text)\n#endif")
            if ShimRule.modules.contains(module) || isCovered(module, file: file) { continue }
            findings.remark(
                file, offset: line.lowerBound,
                text: "only Apple's systems have \(module): what the file uses of it must go "
                    + "into the same condition")
        }
    }

    /// Types of CoreGraphics that Foundation has on all systems.
    private static let geometry: Set<String> = ["CGFloat", "CGPoint", "CGSize", "CGRect"]

    /// Returns whether a file uses nothing of a module but what other modules have off Apple's systems.
    private func isCovered(_ module: String, file: SourceFile) -> Bool {
        let names = zip(file.tokens, file.isForApple).filter { $0.0.kind == .identifier && !$0.1 }.map(
            \.0.text)
        switch module {
        case "CoreGraphics":
            return names.allSatisfy { !$0.hasPrefix("CG") || Self.geometry.contains($0) }
        case "ObjectiveC":
            let prefixes = [
                "class_", "method_", "sel_", "imp_", "ivar_", "protocol_", "property_", "object_", "objc_",
            ]
            return names.allSatisfy { name in
                ShimRule.functions.contains(name) || !prefixes.contains { name.hasPrefix($0) }
            }
        case "UIKit", "AppKit", "Cocoa", "WatchKit":
            return names.allSatisfy { !AppleInterface.has($0) || AppleModules.names.contains($0) }
        default: return false
        }
    }

    /// The module of `import UIKit`, `import class UIKit.UIView`, `import UIKit.UIGestureRecognizerSubclass`.
    static func module(_ file: SourceFile, index: Int) -> String? {
        let kinds: Set<String> = ["class", "struct", "enum", "protocol", "typealias", "func", "var", "let"]
        guard let first = file.token(index + 1) else { return nil }
        return kinds.contains(first.text) ? file.token(index + 2)?.text : first.text
    }

    /// `@preconcurrency import`, `public import`: attributes and access before the word.
    private func onlyAttributesPrecede(_ file: SourceFile, line: Range<Int>, index: Int) -> Bool {
        file.tokens[..<index].reversed().prefix { $0.range.lowerBound >= line.lowerBound }.allSatisfy {
            token in
            token.kind == .identifier || ["@", "(", ")"].contains(token.text)
        }
    }
}
