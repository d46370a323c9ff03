import CoreData
import OSLog

/// The app's stack: a container, and history that tells the view context what others saved.
public class JournalStack {
    public static let shared = JournalStack()

    /// For previews: in memory, with a few entries.
    public static let preview: JournalStack = {
        let stack = JournalStack(inMemory: true)
        let context = stack.container.viewContext
        for number in 0..<3 {
            let entry = Entry(context: context)
            entry.code = "preview-\(number)"
            entry.text = "Text \(number)"
        }
        do {
            try context.save()
        } catch {
            let nsError = error as NSError
            fatalError("Unresolved error \(nsError), \(nsError.userInfo)")
        }
        return stack
    }()

    private let logger = Logger(subsystem: "org.example.journal", category: "stack")
    private let inMemory: Bool
    private let url: URL?
    private let defaults: UserDefaults
    private var token: NSObjectProtocol?
    private static let tokenKey = "lastHistoryToken"

    public init(inMemory: Bool = false, at url: URL? = nil, defaults: UserDefaults = .standard) {
        self.inMemory = inMemory
        self.url = url
        self.defaults = defaults
        // Before others' changes are told, whose task would make a second one at the same time.
        _ = container
        token = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange, object: nil, queue: nil
        ) { [weak self] note in
            self?.logger.debug("Received a persistent store remote change notification.")
            Task { [weak self] in await self?.readHistory() }
        }
    }

    deinit {
        if let observer = token { NotificationCenter.default.removeObserver(observer) }
    }

    /// The token until which history was merged, kept between launches.
    public private(set) var lastToken: NSPersistentHistoryToken? {
        get {
            guard let data = defaults.data(forKey: Self.tokenKey) else { return nil }
            return try? NSKeyedUnarchiver.unarchivedObject(ofClass: NSPersistentHistoryToken.self, from: data)
        }
        set {
            guard let newValue,
                let data = try? NSKeyedArchiver.archivedData(
                    withRootObject: newValue, requiringSecureCoding: true)
            else { return defaults.removeObject(forKey: Self.tokenKey) }
            defaults.set(data, forKey: Self.tokenKey)
        }
    }

    private static let model: NSManagedObjectModel = {
        MoodTransformer.register()
        ClosureTransformer<NSData, NSData>.register(
            name: "PlaceTransformer", transform: { $0 }, reverse: { $0 })
        guard let url = Bundle(for: JournalStack.self).url(forResource: "Journal", withExtension: "momd"),
            let model = NSManagedObjectModel(contentsOf: url)
        else { fatalError("Failed to load the model") }
        return model
    }()

    public lazy var container: NSPersistentContainer = {
        let container = NSPersistentContainer(name: "Journal", managedObjectModel: Self.model)
        guard let description = container.persistentStoreDescriptions.first else {
            fatalError("Failed to retrieve a persistent store description.")
        }
        if inMemory {
            description.url = URL(fileURLWithPath: "/dev/null")
        } else if let url {
            description.url = url
        }
        description.setOption(
            true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
        description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
        container.loadPersistentStores { storeDescription, error in
            if let error = error as NSError? {
                fatalError("Unresolved error \(error), \(error.userInfo)")
            }
        }
        container.viewContext.automaticallyMergesChangesFromParent = false
        container.viewContext.name = "viewContext"
        container.viewContext.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        container.viewContext.undoManager = nil
        container.viewContext.shouldDeleteInaccessibleFaults = true
        return container
    }()

    /// The models that the app has: those that its target leaves out aren't there.
    public static var modelNames: [String] {
        let urls =
            Bundle(for: JournalStack.self).urls(forResourcesWithExtension: "momd", subdirectory: nil) ?? []
        return urls.map { $0.deletingPathExtension().lastPathComponent }
    }

    public func newTaskContext() -> NSManagedObjectContext {
        let context = container.newBackgroundContext()
        context.mergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        context.undoManager = nil
        return context
    }

    public func readHistory() async {
        do {
            try await mergeHistory()
        } catch {
            logger.debug("\(error.localizedDescription)")
        }
    }

    public func mergeHistory() async throws {
        let context = newTaskContext()
        context.name = "historyContext"
        let after = lastToken
        let transactions = try await context.perform { () -> [NSPersistentHistoryTransaction] in
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: after)
            if let historyRequest = NSPersistentHistoryTransaction.fetchRequest {
                historyRequest.predicate = NSPredicate(format: "author != %@", "app")
                request.fetchRequest = historyRequest
            }
            let result = try context.execute(request) as? NSPersistentHistoryResult
            return result?.result as? [NSPersistentHistoryTransaction] ?? []
        }
        guard !transactions.isEmpty else { return }
        let viewContext = container.viewContext
        await viewContext.perform {
            for transaction in transactions {
                viewContext.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
            }
        }
        lastToken = transactions.last?.token
    }

    /// Deletes what is older than what was merged.
    public func forgetHistory() throws {
        guard let lastToken else { return }
        let context = newTaskContext()
        try context.performAndWait {
            _ = try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: lastToken))
        }
    }
}
