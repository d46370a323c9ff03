// Actors with a context of their own.

@_spi(SwiftData) import CoreData
import Foundation

/// An actor that works with models: its context is used by its executor alone. `@ModelActor` writes the conformance.
public protocol ModelActor: Actor {
    /// The container.
    nonisolated var modelContainer: ModelContainer { get }
    /// The executor with the context.
    nonisolated var modelExecutor: any ModelExecutor { get }
}

extension ModelActor {
    /// The executor that runs the actor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { _unownedExecutor(of: modelExecutor) }

    /// The actor's context.
    public var modelContext: ModelContext { modelExecutor.modelContext }

    /// The model of an identifier; nil if it is of another class, or the store has none.
    public subscript<T: PersistentModel>(id: PersistentIdentifier, as type: T.Type) -> T? {
        modelContext.existingModel(for: id) as? T
    }
}

/// Returns the serial executor that a model actor's executor is. Raises if it is none.
public func _unownedExecutor(of executor: any ModelExecutor) -> UnownedSerialExecutor {
    guard let serial = executor as? any SerialModelExecutor else {
        brokenContract("the executor of a model actor must be a SerialModelExecutor")
    }
    return serial.asUnownedSerialExecutor()
}

/// An executor that has a context.
public protocol ModelExecutor: Executor {
    /// The context.
    var modelContext: ModelContext { get }
}

/// An executor that has a context and runs one job after the other.
public protocol SerialModelExecutor: ModelExecutor, SerialExecutor {}

/// The executor of model actors: a queue. A context that saves by itself is saved after each job that changed something.
///
/// Unchecked because the context is used on the queue only.
public final class DefaultSerialModelExecutor: SerialModelExecutor, @unchecked Sendable {
    public let modelContext: ModelContext
    private let queue = DispatchQueue(label: "SwiftData.DefaultSerialModelExecutor")

    /// An executor with a context, which nobody else may use from now on.
    public init(modelContext: ModelContext) {
        self.modelContext = modelContext
    }

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedSerialExecutor()
        queue.async {
            self.modelContext.takeOverSaves()
            job.runSynchronously(on: executor)
            self.modelContext.endOfEvent()
        }
    }

    public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}
