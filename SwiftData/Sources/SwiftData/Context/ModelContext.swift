// The context: the models of one unit of work.

@_spi(SwiftData) public import CoreData
import Foundation

/// A space in which models are fetched, made, changed and saved together.
///
/// A context belongs to one actor or thread at a time, as its models do.
///
/// ```swift
/// let context = ModelContext(container)
/// context.insert(Trip(name: "Ararat"))
/// try context.save()
/// ```
public final class ModelContext: Equatable, CustomDebugStringConvertible {
    /// The container, which the main context doesn't hold, as it is held by it.
    private let heldContainer: ModelContainer?
    /// The container of the main context, as long as somebody uses it.
    private weak var usedContainer: ModelContainer?
    private let contents: ModelContainer.Contents
    /// What other contexts saved that this one doesn't know yet.
    private(set) lazy var inbox = SaveInbox(of: self)
    /// Indicates that the context is about to take over what others saved.
    var isTakingOver = false
    /// The identifiers that saved models have now, by the temporary ones that were handed out before.
    var savedIDs = SavedIdentifiers()
    let managed: ManagedContext
    /// The models with unsaved changes, and their objects.
    private var held: [(model: AnyObject, object: _ModelObject)] = []
    /// Arrays of related models that were changed in place since the last save.
    var lists: [MemberList.Key: MemberList] = [:]
    /// Indicates whether changes are saved without a call of `save()`. True for a container's main context, else false at first.
    ///
    /// A context on the main thread is saved at the end of the turn in which something changed, one of a model actor after the actor's
    /// job, any other when it ends.
    public var autosaveEnabled: Bool {
        didSet {
            if autosaveEnabled, managed.hasChanges { awaitEndOfEvent() }
        }
    }
    let isMain: Bool
    private var undoWatch: UndoWatch?
    /// The turn of the main queue at the end of which the context is saved.
    var turn: Turn?

    /// A context of a container, which saves when it is told to.
    public convenience init(_ container: ModelContainer) { self.init(container, isMain: false) }

    init(_ container: ModelContainer, isMain: Bool) {
        heldContainer = isMain ? nil : container
        usedContainer = isMain ? container : nil
        contents = container.contents
        managed = ManagedContext(container)
        autosaveEnabled = isMain
        self.isMain = isMain
        managed.owner = self
        contents.saves.add(inbox)
    }

    deinit {
        contents.saves.remove(inbox)
        if autosaveEnabled, !isMain { saveAtEnd() }
    }

    /// The container. A main context doesn't hold it: one that nobody else holds is made again when it is asked for.
    public var container: ModelContainer {
        if let known = heldContainer ?? usedContainer { return known }
        let made = ModelContainer(contents, main: self)
        usedContainer = made
        return made
    }

    /// The author in persistent history.
    public var author: String? {
        get { managed.transactionAuthor }
        set { managed.transactionAuthor = newValue }
    }

    /// The undo manager that records changes; nil if none does.
    ///
    /// What is undone at once are the changes of a turn of the main queue in the main context, those of a job in a model actor's; in
    /// others those until `undo()`, unless the manager's groups are opened by hand.
    public var undoManager: UndoManager? {
        get { managed.undoManager }
        set {
            managed.undoManager = newValue
            undoWatch = newValue.map { UndoWatch(of: $0, for: self) }
        }
    }

    public var debugDescription: String {
        "ModelContext(\(ObjectIdentifier(self)), \(container.configurations))"
    }

    /// Returns true if both are the same context.
    ///
    /// - Parameters:
    ///   - left: the one context.
    ///   - right: the other.
    public static func == (left: ModelContext, right: ModelContext) -> Bool { left === right }

    // MARK: Holding

    /// Keeps a model until its changes are saved or dropped.
    func hold(_ model: any PersistentModel) {
        let object = model._$references.object.takeUnretainedValue()
        object.isHeld = true
        held.append((model, object))
        awaitEndOfEvent()
    }

    /// Lets go of models whose changes are saved or dropped.
    func releaseHeld() {
        for (_, object) in held { object.isHeld = false }
        held.removeAll()
        lists.removeAll()
        turn?.unsaved = nil
    }
}

/// The managed object context behind a context.
@usableFromInline
final class ManagedContext: NSManagedObjectContext, @unchecked Sendable {
    let models: ModelSet
    /// The context that clients have.
    weak var owner: ModelContext?
    /// Tells the context apart, for stores of clients.
    private(set) lazy var stateID = UUID()
    /// The places in the histories of clients' stores after the last save.
    var tokens: [String: any HistoryToken] = [:]
    /// New objects whose unique values other objects have, which were updated instead, since the last save.
    var replaced: [(old: _ModelObject, new: _ModelObject)] = []

    init(_ container: ModelContainer) {
        models = container.models
        super.init(concurrencyType: .confinementConcurrencyType)
        persistentStoreCoordinator = container.coordinator
        mergePolicy = UpsertPolicy.shared
        undoManager = nil
    }

    required init?(coder: NSCoder) { nil }
}
