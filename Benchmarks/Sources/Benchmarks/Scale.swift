// The amount of work of a run: all of it, or the short form whose instructions are counted.

enum Scale {
    static let isShort = CommandLine.arguments.contains("--short")

    /// A count of the full form, or a twentieth of it.
    static func rows(_ count: Int) -> Int { isShort ? count / 20 : count }
}
