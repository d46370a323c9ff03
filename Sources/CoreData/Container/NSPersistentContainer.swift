// A model, a coordinator and a context for the main thread in one.

public import Foundation
import Synchronization

/// Sets up a Core Data stack.
///
/// Like the coordinator it may be used from any thread; its contexts have their own rules.
///
/// ```swift
/// let container = NSPersistentContainer(name: "Heroes")
/// container.loadPersistentStores { description, error in
///     if let error { print(description.url?.path ?? "", error) }
/// }
/// let heroes = try container.viewContext.fetch(Hero.fetchRequest())
/// print(heroes.count)
/// ```
open class NSPersistentContainer: NSObject, @unchecked Sendable {
    // Unchecked: the descriptions are set up before stores are loaded, as Apple's documentation asks; the
    // rest never changes.
    private let title: String
    private let coordinator: NSPersistentStoreCoordinator
    private let view = Mutex(ViewContext())
    /// The stores that `loadPersistentStores` is to load: one SQLite store in the default folder, unless
    /// changed.
    ///
    /// ```swift
    /// container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
    /// ```
    open var persistentStoreDescriptions: [NSPersistentStoreDescription]
    /// The reason why the model couldn't be found by name.
    private(set) final var modelFailure: NSError?

    /// A container whose model is the resource of that name: `NAME.momd`, `.mom` or `.xcdatamodeld` in the
    /// main bundle or in a resource bundle beside the executable.
    ///
    /// If there is none, or there are different ones of that name, `loadPersistentStores` reports it.
    public convenience init(name: String) {
        switch ModelSearch().model(named: name) {
        case .success(let model): self.init(name: name, managedObjectModel: model)
        case .failure(let failure):
            self.init(name: name, managedObjectModel: NSManagedObjectModel())
            modelFailure = failure
        }
    }

    /// A container with a given model.
    ///
    /// ```swift
    /// let model = try NSManagedObjectModel.read(from: url)
    /// let container = NSPersistentContainer(name: "Heroes", managedObjectModel: model)
    /// print(container.name)
    /// ```
    ///
    /// - Parameters:
    ///   - name: the name of the container, and of the store's file.
    ///   - model: the model of the stores.
    public init(name: String, managedObjectModel model: NSManagedObjectModel) {
        title = name
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        persistentStoreDescriptions = []
        super.init()
        let file = type(of: self).defaultDirectoryURL().appendingPathComponent("\(name).sqlite")
        persistentStoreDescriptions = [NSPersistentStoreDescription(url: file)]
    }

    /// The container's name: of its store file and, unless a model is given, of its model.
    open var name: String { title }

    /// The coordinator of all the container's contexts.
    open var persistentStoreCoordinator: NSPersistentStoreCoordinator { coordinator }

    /// The context for the main thread, or for `viewContextExecutor`. Made when first asked for.
    open var viewContext: NSManagedObjectContext {
        let coordinator = persistentStoreCoordinator
        return view.withLock { $0.context(of: coordinator) }
    }

    /// The executor of the view context's work: the main queue, unless it is set before `viewContext` is
    /// first used. Raises when it is set later.
    public final var viewContextExecutor: NSManagedObjectContext.Executor {
        get { view.withLock(\.executor) }
        set { view.withLock { $0.choose(newValue) } }
    }

    /// Returns the folder for store files. Subclasses may choose another.
    ///
    /// `$XDG_DATA_HOME`, or else `~/.local/share`, with a folder named after the process.
    open class func defaultDirectoryURL() -> URL { dataFolder }

    /// The model that the container's stores are opened with.
    open var managedObjectModel: NSManagedObjectModel { persistentStoreCoordinator.managedObjectModel }

    /// Loads the stores of `persistentStoreDescriptions`, calling the handler once for each. Those that are
    /// to be added asynchronously are reported later, on another thread.
    open func loadPersistentStores(
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) { load(block) }

    /// Returns a new context with a queue of its own, connected to the container's stores.
    ///
    /// ```swift
    /// let importer = container.newBackgroundContext()
    /// try await importer.perform {
    ///     Hero(context: importer).name = "Ann"
    ///     try importer.save()
    /// }
    /// ```
    open func newBackgroundContext() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = persistentStoreCoordinator
        return context
    }

    /// Runs the closure later on the queue of a new context, which it gets.
    open func performBackgroundTask(_ block: @escaping (NSManagedObjectContext) -> Void) {
        runInBackground(block)
    }
}
