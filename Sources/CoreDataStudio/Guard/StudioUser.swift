// The people of a shared studio, and how far each may go.

/// A person who may come into a shared studio.
public struct StudioUser: Sendable, Hashable {
    /// The extent of what a user may do. Each covers the ones before it.
    public enum Role: String, Sendable, Hashable, CaseIterable {
        /// See objects, model, history and SQL; export rows.
        case read
        /// Make, change, delete and import objects; save views.
        case edit
        /// Change the model, migrate the store, delete a part of the history.
        case model
    }

    /// The name by which others know the person. It is the author of the person's transactions.
    public let name: String
    /// The extent of what the person may do.
    public let role: Role

    /// A person with a role.
    ///
    /// - Parameters:
    ///   - name: a name that no other user of the studio has.
    ///   - role: the extent of what the person may do.
    public init(name: String, role: Role) {
        self.name = name
        self.role = role
    }
}

extension StudioUser.Role {
    /// Indicates whether the role covers an action.
    package func covers(_ action: StudioAction) -> Bool {
        switch action {
        case .read, .export, .history, .sql, .runSQL, .readModel: true
        case .insert, .update, .delete, .importing, .saveViews: self != .read
        case .editModel, .purge: self == .model
        }
    }
}
