// Observing of progresses, which Foundation leaves to the Objective-C runtime.

public import CoreData
public import Foundation

extension Progress {
    /// Calls a closure when the value that a key path reads changes.
    ///
    /// Differs from Apple's in that nothing tells of a change here: the value is looked at ten times a second, on a thread
    /// of its own choosing, where the closure is called too. Changes in between are one change.
    ///
    /// - Parameters:
    ///   - keyPath: the key path.
    ///   - options: which values the change has, and whether to call the closure at once.
    ///   - changeHandler: gets the progress and the change.
    /// - Returns: An object that ends the observation when it is released. It doesn't
    ///   keep the progress alive.
    public func observe<Value: Equatable>(
        _ keyPath: KeyPath<Progress, Value>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping (Progress, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        watch({ $0[keyPath: keyPath] }, options: options, handler: changeHandler)
    }

    func watch<Value: Equatable>(
        _ read: @escaping (Progress) -> Value, options: NSKeyValueObservingOptions,
        handler: @escaping (Progress, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        let observer = ProgressObserver(read, last: read(self), options: options, handler: handler)
        if options.contains(.initial) { observer.tell(self, old: nil) }
        let task = Self.watch(self, observer: observer)
        return NSKeyValueObservation { task.cancel() }
    }

    private static func watch(_ progress: Progress, observer: any ProgressWatching) -> Task<Void, Never> {
        Task { [weak progress] in
            while !Task.isCancelled, let progress {
                observer.look(progress)
                try? await Task.sleep(for: .milliseconds(100))
            }
        }
    }
}

private protocol ProgressWatching: Sendable {
    func look(_ progress: Progress)
}

/// Unchecked because one task at a time uses it.
private final class ProgressObserver<Value: Equatable>: ProgressWatching, @unchecked Sendable {
    private let read: (Progress) -> Value
    private var last: Value
    private let options: NSKeyValueObservingOptions
    private let handler: (Progress, NSKeyValueObservedChange<Value>) -> Void

    init(
        _ read: @escaping (Progress) -> Value, last: Value, options: NSKeyValueObservingOptions,
        handler: @escaping (Progress, NSKeyValueObservedChange<Value>) -> Void
    ) {
        (self.read, self.last, self.options, self.handler) = (read, last, options, handler)
    }

    func look(_ progress: Progress) {
        let value = read(progress)
        if value == last { return }
        let old = last
        last = value
        if !Task.isCancelled { tell(progress, old: old) }
    }

    func tell(_ progress: Progress, old: Value?) {
        handler(
            progress,
            NSKeyValueObservedChange(
                kind: .setting, newValue: options.contains(.new) ? read(progress) : nil,
                oldValue: options.contains(.old) ? old : nil, indexes: nil, isPrior: false))
    }
}
