// The options for generated sources.

/// Choices about generated sources. The defaults are Xcode's.
public struct GenerationOptions: Sendable, Hashable {
    /// The kind of source that is made for an entity.
    public enum Mode: String, Sendable, Hashable, CaseIterable {
        /// The model's choice for each entity: a class, an extension of a class that is there, or nothing.
        case model
        /// Class and extension for every entity.
        case `class`
        /// For every entity the extension of a class that is written by hand.
        case category
    }

    /// The visibility of the classes and their members.
    public enum Access: String, Sendable, Hashable, CaseIterable {
        /// An access level that Swift has, by its keyword.
        case `internal`, `package`, `public`, open
    }

    /// The kind of files that are generated.
    public var mode = Mode.model
    /// Only code for these entities, or for all.
    public var entities: Set<String>?
    /// The module that the sources are for: its name in a class's name is left out, and classes of other modules are
    /// left alone. Without it every class counts as the module's own.
    public var module: String?
    /// The access level of the classes.
    public var access = Access.public
    /// To-many relationships as `Set<Power>` and not `NSSet?`.
    public var usesNativeSets = false
    /// Decimal attributes as `Decimal` and not `NSDecimalNumber`.
    public var usesDecimal = false
    /// Scalars of optional attributes as optionals. Else, as in Xcode, they are 0 for nil.
    public var usesOptionalScalars = false
    /// Properties that the model says are not optional as types that aren't, and not only scalars.
    public var keepsRequired = false
    /// One file for the whole model and not two for each class.
    public var isOneFile = false

    /// The options as they are without any being chosen.
    public init() {}
}

/// A source file.
public struct GeneratedFile: Sendable, Hashable {
    /// The file's name, with its extension.
    public var name: String
    /// The file's contents.
    public var text: String
    /// Indicates whether the file is for people to edit: it is made once and not overwritten.
    public var isForEditing: Bool

    /// A file.
    ///
    /// - Parameters:
    ///   - name: its name, with its extension.
    ///   - text: its contents.
    ///   - isForEditing: whether people are to edit it, so that it must not be written over.
    public init(name: String, text: String, isForEditing: Bool = false) {
        self.name = name
        self.text = text
        self.isForEditing = isForEditing
    }
}
