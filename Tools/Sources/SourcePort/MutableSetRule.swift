// Casts of `mutableSetValue(forKey:)`: off Apple's systems Foundation makes an empty `Set` of every subclass of `NSMutableSet`.

/// Makes `person.mutableSetValue(forKey: "friends") as? Set<Person>` a cast of a copy.
struct MutableSetRule {
    func apply(to file: SourceFile, _ findings: inout Findings) {
        for index in file.tokens.indices where file.matches([")", "as"], at: index) {
            guard !file.isForApple[index], file.matches(["Set", "<"], at: index + 3),
                let open = file.opening(index), file.token(open - 1)?.is("mutableSetValue") == true
            else { continue }
            let end = file.tokens[index].range.upperBound
            findings.replace(end..<end, with: ".copy()")
        }
    }
}
