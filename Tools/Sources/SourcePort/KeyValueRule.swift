// Observers that override `observeValue`, which Foundation lacks off Apple's systems.

/// Gives them the superclass that has the method on all systems.
struct KeyValueRule {
    func apply(to file: SourceFile, _ findings: inout Findings) {
        for index in file.tokens.indices
        where file.matches(["func", "observeValue", "(", "forKeyPath"], at: index) {
            guard !file.isForApple[index],
                file.token(index - 1)?.is("override") == true || isPrefixed(file, index: index)
            else { continue }
            guard let superclass = superclass(file, around: index) else {
                findings.remark(
                    file, offset: file.tokens[index].range.lowerBound,
                    text:
                        "off Apple's systems only subclasses of KeyValueObserver, managed objects and contexts override "
                        + "observeValue: others conform to KeyValueObserving without the word override")
                continue
            }
            if !file.tokens[superclass].is("NSObject") { continue }
            findings.replace(file.tokens[superclass].range, with: "KeyValueObserver")
            findings.support.insert(.observers)
            importLibrary(file, findings: &findings)
        }
    }

    /// `override public func`, where the word doesn't stand next to the function.
    private func isPrefixed(_ file: SourceFile, index: Int) -> Bool {
        ["public", "open", "internal", "final"].contains(file.token(index - 1)?.text ?? "")
            && file.token(index - 2)?.is("override") == true
    }

    /// The superclasses that have the method on all systems.
    private static let observers = ["KeyValueObserver", "NSManagedObject", "NSManagedObjectContext"]

    /// The superclass of the class around a member, if it is `NSObject` or has the method.
    private func superclass(_ file: SourceFile, around member: Int) -> Int? {
        var found: Int?
        for index in file.tokens.indices.prefix(while: { $0 < member })
        where file.matches(["class", "_", ":"], at: index) {
            guard let open = file.tokens[index...].firstIndex(where: { $0.is("{") }),
                let close = file.closing(open), open < member, member < close
            else { continue }
            let name = file.tokens[index + 3].text
            found = name == "NSObject" || Self.observers.contains(name) ? index + 3 : nil
        }
        return found
    }

    private func importLibrary(_ file: SourceFile, findings: inout Findings) {
        let imports = file.tokens.indices.filter { file.tokens[$0].is("import") && !file.isForApple[$0] }
        guard let last = imports.last,
            !imports.contains(where: { file.token($0 + 1)?.is("CoreData") == true })
        else { return }
        let end = file.lineRange(at: file.tokens[last].range.lowerBound).upperBound
        findings.replace(end..<end, with: "\n#if !canImport(ObjectiveC)\nimport CoreData\n#endif")
    }
}
