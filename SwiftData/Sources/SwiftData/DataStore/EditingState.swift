// A context as stores see it.

public import Foundation

/// A context as stores see it: who asks, and in whose name.
public struct EditingState: Hashable, Identifiable, Sendable {
    /// Tells contexts apart.
    public let id: UUID
    /// The author of the context's saves.
    public var author: String?

    init(id: UUID = UUID(), author: String? = nil) {
        self.id = id
        self.author = author
    }
}
