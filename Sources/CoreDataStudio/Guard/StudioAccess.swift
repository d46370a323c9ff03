// The request of a person, for the closure that decides whether it is allowed.

/// Something that people do in the studio.
public enum StudioAction: String, Sendable, CaseIterable {
    /// See objects and count them.
    case read
    /// Make objects.
    case insert
    /// Change objects.
    case update
    /// Delete objects.
    case delete
    /// Download objects as a file.
    case export
    /// Make objects from a file.
    case importing
    /// See who changed what.
    case history
    /// Delete a part of the history.
    case purge
    /// See statements and their query plans.
    case sql
    /// Run queries of their own in SQL. They read the whole file, so that ``read`` must be allowed for all entities as well.
    case runSQL
    /// Give views of rows a name, in a file that all share.
    case saveViews
    /// See the model.
    case readModel
    /// Change the model's file.
    case editModel

    /// Indicates whether a studio that is read-only refuses it.
    package var changes: Bool {
        switch self {
        case .insert, .update, .delete, .importing, .editModel, .purge, .saveViews: true
        case .read, .export, .history, .sql, .runSQL, .readModel: false
        }
    }

    var words: String {
        switch self {
        case .read: "see objects"
        case .insert: "make objects"
        case .update: "change objects"
        case .delete: "delete objects"
        case .export: "export objects"
        case .importing: "import objects"
        case .history: "see the history"
        case .purge: "delete the history"
        case .sql: "see statements"
        case .runSQL: "run SQL"
        case .saveViews: "save views"
        case .readModel: "see the model"
        case .editModel: "change the model"
        }
    }
}

/// The question to ``StudioOptions/authorise``.
public struct StudioAccess: Sendable {
    /// The person who asks: the one of ``StudioOptions/users`` by whose link they came in, or as the server stated in the
    /// request.
    public let user: String?
    /// The entity concerned; `nil` for what concerns none or all.
    public let entity: String?
    /// The action to be done.
    public let action: StudioAction
}
