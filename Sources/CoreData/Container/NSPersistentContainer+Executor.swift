// The view context of a container, and what it runs on.

import CoreDataSupport
import Foundation

extension NSPersistentContainer {
    /// A container whose view context runs on a given executor: for programs whose main thread doesn't serve the
    /// main queue.
    ///
    /// The model is found by name, as `init(name:)` does.
    ///
    /// - Parameters:
    ///   - name: the name of the model, and of the store's file.
    ///   - viewContextExecutor: the executor that the view context's blocks run on.
    public convenience init(name: String, viewContextExecutor: NSManagedObjectContext.Executor) {
        self.init(name: name)
        self.viewContextExecutor = viewContextExecutor
    }

    /// A container with a given model, whose view context runs on a given executor.
    ///
    /// - Parameters:
    ///   - name: the name of the store's file.
    ///   - model: the model of the stores.
    ///   - viewContextExecutor: the executor that the view context's blocks run on.
    public convenience init(
        name: String, managedObjectModel model: NSManagedObjectModel,
        viewContextExecutor: NSManagedObjectContext.Executor
    ) {
        self.init(name: name, managedObjectModel: model)
        self.viewContextExecutor = viewContextExecutor
    }
}

/// A container's view context, made when first asked for, so that its executor may be chosen until then.
struct ViewContext {
    private(set) var executor = NSManagedObjectContext.Executor.mainQueue
    private var made: NSManagedObjectContext?

    mutating func context(of coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
        if let made { return made }
        let context = NSManagedObjectContext(executor: executor)
        context.persistentStoreCoordinator = coordinator
        made = context
        return context
    }

    mutating func choose(_ executor: NSManagedObjectContext.Executor) {
        if made != nil {
            raise(
                .invalidArgument,
                "the executor of a container's view context can only be chosen before the context is used")
        }
        self.executor = executor
    }
}
