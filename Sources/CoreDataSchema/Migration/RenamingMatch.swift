// The match of names of an older version with those of a newer one.

/// Something that has a name and may say what it was called before.
struct RenamedName {
    var name: String
    var renamingIdentifier: String?

    /// A renaming identifier is kept from version to version, so that it names the same thing in all of them.
    var canonical: String { renamingIdentifier ?? name }
}

enum RenamingMatch {
    /// Older names by newer name. Each is used once.
    ///
    /// Names with the same canonical name match, in any two versions, whatever was renamed in between. If
    /// that finds nothing, a renaming identifier may be the name in the version just before, and last the
    /// same name does, for identifiers that only one version states.
    static func sources(of newer: [RenamedName], in older: [RenamedName]) -> [String: String] {
        let rules: [(RenamedName, RenamedName) -> Bool] = [
            { $0.canonical == $1.canonical && $0.name == $1.name },
            { $0.canonical == $1.canonical },
            { $0.name == $1.renamingIdentifier },
            { $0.name == $1.name },
        ]
        var found: [String: String] = [:]
        var used: Set<String> = []
        for rule in rules {
            for destination in newer where found[destination.name] == nil {
                guard let source = older.first(where: { !used.contains($0.name) && rule($0, destination) })
                else { continue }
                found[destination.name] = source.name
                used.insert(source.name)
            }
        }
        return found
    }
}
