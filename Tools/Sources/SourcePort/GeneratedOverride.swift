// Overrides in an extension of a class that the plugin makes. Swift has those for Objective-C's methods only, so that off
// Apple's systems the class overrides, and calls the member that the extension has under another name.

import Foundation

/// The classes that the plugin makes in a target.
struct GeneratedClasses {
    var names: Set<String> = []
    /// Indicates whether declarations of the target are the main actor's unless they say otherwise.
    var areOnMainActor = false
}

/// An override as it stands in the extension of a generated class afterwards.
struct GeneratedOverride {
    /// The lines that are replaced, from the first word or attribute to the brace that ends the member.
    let range: Range<Int>
    let text: String

    /// - Parameters:
    ///   - member: The override.
    ///   - type: The class of the extension.
    ///   - file: The source.
    ///   - isOnMainActor: Indicates whether declarations of the target are the main actor's unless they say otherwise.
    init?(_ member: DeclaredMember, of type: String, in file: SourceFile, isOnMainActor: Bool) {
        // The name by which the generator knows what the class has to override.
        let renamed = file.tokens[member.position + 1].text + "OverrideOf" + type
        guard let call = Self.call(member, name: renamed, in: file) else { return nil }
        let start = file.tokens[member.first].range.lowerBound
        let end = file.tokens[member.body.upperBound].range.upperBound
        let body = file.tokens[member.body.lowerBound].range.lowerBound
        let indentation = file.indentation(ofLine: file.lineRange(at: start))
        let left = ["override", "dynamic", "open", "nonisolated"]
        var words = member.words.filter { !left.contains($0) && !$0.hasPrefix("@objc") }
        if member.words.contains("open") { words.insert("public", at: 0) }
        if isOnMainActor || member.words.contains("nonisolated") { words.append("nonisolated") }
        range = start..<end
        text =
            "#if canImport(ObjectiveC)\n\(indentation)\(file.text(start..<body)){ \(call) }\n\(indentation)#endif\n"
            + indentation + words.map { $0 + " " }.joined() + file.text(of: member, renamed: renamed)
    }

    /// The body of the override on Apple's systems; nil for observers of a property and for generic functions.
    private static func call(_ member: DeclaredMember, name: String, in file: SourceFile) -> String? {
        guard file.tokens[member.position].is("func") else {
            let accessors = file.accessors(in: member.body)
            if !accessors.isDisjoint(with: ["willSet", "didSet"]) { return nil }
            return accessors.contains("set") ? "get { \(name) } set { \(name) = newValue }" : name
        }
        let open = member.position + 2
        guard file.token(open)?.is("(") == true, let close = file.closing(open),
            let arguments = file.forwardedArguments(open: open, close: close)
        else { return nil }
        return file.effects(ofCall: close..<member.body.lowerBound) + name + arguments
    }
}
