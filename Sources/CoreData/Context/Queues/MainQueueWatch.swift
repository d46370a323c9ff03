// Notices that nobody serves the main queue.

import CoreDataSupport
import Dispatch
import Foundation
import Synchronization

/// Work for the main queue waits for ever in a program whose main thread never serves that queue, as in many
/// servers. The watch tells such a program what is wrong, instead of letting it hang.
///
/// The first piece of work given to the main queue starts it; the first that runs ends it for good. In between it
/// looks at the main thread once a second. A thread that works, that wakes now and then, or that waits for a time
/// that ends, may come to serve the queue later. One that has waited all the while for something without a limit, as
/// for a lock, doesn't: that stops the program.
final class MainQueueWatch: Sendable {
    static let shared = MainQueueWatch()

    private let isServed = Atomic<Bool>(false)
    private let isWatching = Atomic<Bool>(false)
    private let queue = DispatchQueue(label: "coredata.main-queue-watch")

    /// Work is about to be given to the main queue.
    func expect() {
        if isServed.load(ordering: .relaxed) || isWatching.exchange(true, ordering: .relaxed) { return }
        look(MainQueueTimeout(limit: Self.limit))
    }

    /// A piece of work runs.
    func noteService() { isServed.store(true, ordering: .relaxed) }

    /// Seconds after which a main thread that waits without a limit is given up: as the launch argument
    /// `-com.apple.CoreData.MainQueueTimeout` or the user default of that name says. 0 for never.
    private static let limit: Int = {
        let name = "com.apple.CoreData.MainQueueTimeout"
        let arguments = ProcessInfo.processInfo.arguments
        if let place = arguments.firstIndex(of: "-" + name), place + 1 < arguments.count {
            return Int(arguments[place + 1]) ?? 5
        }
        return UserDefaults.standard.object(forKey: name) as? Int ?? 5
    }()

    private func look(_ timeout: MainQueueTimeout) {
        queue.asyncAfter(deadline: .now() + 1) { [self] in
            if isServed.load(ordering: .relaxed) { return }
            var timeout = timeout
            switch timeout.judge(ThreadSample.ofMainThread()) {
            case .wait: break
            case .warn: Log.warning(Self.sentence("for \(timeout.looks) s"))
            case .giveUp:
                if isServed.load(ordering: .relaxed) { return }
                raise(
                    .internalInconsistency,
                    Self.sentence("for \(timeout.looks) s, and the main thread waits for something else"))
            }
            look(timeout)
        }
    }

    private static func sentence(_ time: String) -> String {
        "A context of the main queue (a container's viewContext is one) was given work, but nobody has served the "
            + "main queue \(time). In a program whose main thread doesn't, give the container another executor: "
            + "NSPersistentContainer(name:viewContextExecutor: .privateQueue), or use newBackgroundContext(). Or "
            + "let the main thread serve it: an asynchronous main(), dispatchMain() or RunLoop.main.run()."
    }
}

/// The result of the looks at a main thread that doesn't serve its queue.
package struct MainQueueTimeout {
    package enum Verdict { case wait, warn, giveUp }

    /// The number of looks, one a second.
    private(set) var looks = 0
    private let limit: Int
    private var last: ThreadSample?
    /// The number of looks in a row for which the thread hadn't moved.
    private var still = 0

    package init(limit: Int) {
        self.limit = limit
    }

    package mutating func judge(_ sample: ThreadSample?) -> Verdict {
        looks += 1
        still = sample != nil && sample == last ? still + 1 : 0
        last = sample
        guard limit > 0 else { return .wait }
        if let wait = sample?.wait, let factor = wait.timeout, still >= limit * factor { return .giveUp }
        return looks == limit + 1 ? .warn : .wait
    }
}
