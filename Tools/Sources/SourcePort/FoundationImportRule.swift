// Modules of Apple's systems bring others with them: UIKit brings Foundation, Cocoa CoreData too. And CoreData has here some of
// what is Foundation's there.

/// Imports CoreData or Foundation where a file has them only through another module.
struct FoundationImportRule {
    /// Modules that bring Foundation on all systems.
    private static let bringing: Set<String> = [
        "Foundation", "CoreData", "XCTest", "AppleShims", "CombineShims", "SwiftData",
    ]
    /// Modules of Apple's without Foundation.
    private static let bare: Set<String> = [
        "Combine", "Darwin", "MachO", "OSLog", "ObjectiveC", "Accelerate", "CommonCrypto", "libkern", "os",
        "simd", "vmnet",
    ]
    /// Names of Foundation's that only CoreData has off Apple's systems, beside those of `FoundationRule`.
    private static let names: Set<String> = FoundationRule.moved.union([
        "NSValueTransformerName", "NSSecureUnarchiveFromDataTransformer", "UndoManager",
        "AutoreleasingUnsafeMutablePointer", "NSKeyValueChangeKey",
    ])
    private static let prefixes = ["NSManagedObject", "NSFetch", "NSPersistent", "NSEntityDescription"]

    func apply(to file: SourceFile, _ findings: inout Findings) {
        let imports = file.tokens.indices.filter { file.tokens[$0].is("import") && !file.isForApple[$0] }
        guard let last = imports.last else { return }
        let modules = Set(imports.compactMap { ImportRule.module(file, index: $0) })
        guard !modules.contains("CoreData"),
            !findings.edits.contains(where: { $0.replacement.contains("import CoreData") }),
            let module = module(file, modules: modules, last: last)
        else { return }
        let end = file.endOfCondition(after: last)
        let line = "\nimport \(module)"
        findings.replace(
            end..<end, with: module == "CoreData" ? "\n#if !canImport(ObjectiveC)\(line)\n#endif" : line)
    }

    private func module(_ file: SourceFile, modules: Set<String>, last: Int) -> String? {
        let start = file.lineRange(at: file.tokens[last].range.lowerBound).upperBound
        let used = file.tokens.indices.filter {
            file.tokens[$0].range.lowerBound >= start && file.tokens[$0].kind == .identifier
                && !file.isForApple[$0]
        }
        let others = modules.intersection(AppleModules.names).subtracting(Self.bare)
        if uses(file, used: used, prefixes: others.isEmpty ? [] : Self.prefixes) { return "CoreData" }
        if others.isEmpty || !modules.isDisjoint(with: Self.bringing) { return nil }
        // Without a name of anything there is nothing that Foundation could have.
        let isUsed = used.contains { file.tokens[$0].text.first?.isUppercase == true }
        return isUsed ? "Foundation" : nil
    }

    /// Returns whether a file names something that CoreData has: one of the names, or one that begins so.
    private func uses(_ file: SourceFile, used: [Int], prefixes: [String]) -> Bool {
        used.contains { index in
            let name = file.tokens[index].text
            return isType(file, at: index)
                && (Self.names.contains(name) || prefixes.contains { name.hasPrefix($0) })
        }
    }

    /// Returns whether a name may be a type's of a module: it is neither declared here nor another's member.
    private func isType(_ file: SourceFile, at index: Int) -> Bool {
        guard index > 0 else { return true }
        if file.tokens[index - 1].is(".") { return file.token(index - 2)?.is("Foundation") == true }
        return file.declaredType(index - 1) == nil
    }
}
