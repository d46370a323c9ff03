// The settings of a studio.

public import Foundation

/// The settings for the parts that a ``Studio`` shows and allows.
public struct StudioOptions: Sendable {
    /// The way in which a browser gets in.
    public enum Entrance: Sendable {
        /// With a link that works once; see ``Studio/makeLink(host:)``.
        case link
        /// The server that the studio is mounted in has let the person in, and says who it is in each request.
        case server
    }

    /// The page's title.
    public var title = "Core Data Studio"
    /// The path at which the studio is mounted, with a slash at both ends.
    public var basePath = "/"
    /// Indicates that nothing can be changed.
    public var isReadOnly = false
    /// An `.xcdatamodeld` or `.xcdatamodel` to edit.
    public var modelFile: URL?
    /// Indicates whether the page offers to migrate the coordinator's SQLite store to the current version of ``modelFile``. The
    /// store is closed for that, and opened again by a coordinator of the studio's own: only for who has no other use for
    /// the coordinator.
    public var offersMigration = false
    /// A folder where unsaved edits of the model are kept, so that they are there again when the studio was stopped
    /// or killed. Nothing is kept without one. Only its owner can look into it.
    public var draftsFolder: URL?
    /// A file that keeps the views that people give a name: columns, filters and order of rows. Without one they are kept
    /// beside ``modelFile``, as `Heroes.studio-views.json` of `Heroes.xcdatamodeld`; without a model file none can be saved. A
    /// studio that is read-only shows them.
    public var viewsFile: URL?
    /// The way in which a browser gets in.
    public var entrance = Entrance.link
    /// Names besides those of the loopback addresses by which the server may be asked, without ports.
    public var hosts: Set<String> = []
    /// The actions that pages offer for selected objects, besides those that the studio has itself.
    public var actions: [StudioObjectAction] = []
    /// The people of a shared studio. With users nobody else comes in, each of them comes in with links of their own
    /// (``Studio/makeLink(host:for:)``), may do what their role covers, and is the author of what they save. Without users, as
    /// is the standard, whoever has the link may do all.
    public var users: [StudioUser] = []
    /// Decides who may do what, within what the roles of ``users`` cover. Without it everybody who got in may do all.
    public var authorise: (@Sendable (StudioAccess) async -> Bool)?
    /// The pages to serve in place of those compiled in, for those who work on them.
    public var pagesFolder: URL?

    /// The extension of files of views.
    static let viewsExtension = "studio-views.json"

    /// The standard: everything allowed to who has the link, on loopback only.
    public init() {}
}
