// Stopping the process where a context or an object is used on another queue than its own.

import CoreDataSupport
import Foundation

extension NSManagedObjectContext {
    /// Stops the process if the context checks where it is used and this isn't its queue.
    @inline(__always)
    final func checkQueue() {
        if freshTraits.contains(.checked) && !confinement.isCurrent {
            raiseViolation(shortDescription)
        }
    }

    /// Stops the process because something of this context was used here.
    final func raiseViolation(_ subject: String) -> Never {
        raise(
            .multithreadingViolation,
            "\(subject) was used on \(Self.place), but belongs to \(confinement.description). Use it inside perform or "
                + "performAndWait of its context, and hand objectIDs, not objects, between contexts.")
    }

    /// The context without anything that only its queue may read.
    private final var shortDescription: String {
        "context \(name.map { "\"\($0)\" " } ?? "")(0x\(String(UInt(bitPattern: ObjectIdentifier(self)), radix: 16)))"
    }

    /// The caller's thread and block, in words.
    private static var place: String {
        let thread = Thread.isMainThread ? "the main thread" : "thread \(threadName)"
        return current.map { "\(thread), inside a block of \($0.shortDescription)" } ?? thread
    }

    /// The thread's number, as debuggers show it, or its name.
    private static var threadName: String {
        let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
        return link?.split(separator: "/").last.map(String.init) ?? Thread.current.name ?? "in the background"
    }
}

extension NSManagedObject {
    /// Stops the process if the object's context checks where it is used and this isn't its queue.
    @inline(__always)
    final func checkQueue() {
        if state.traits.contains(.checked) { verifyQueue() }
    }

    final func verifyQueue() {
        guard let context = registry.context, !context.confinement.isCurrent else { return }
        context.raiseViolation("object \(objectID.uriRepresentation().absoluteString)")
    }
}
