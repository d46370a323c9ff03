// Publishers of observed values.

#if Combine
    import AppleShims
    public import CoreData
    public import Foundation
    public import OpenCombine

    extension NSObject {
        /// A publisher of the values that a key path reads, one at each change.
        public struct KeyValueObservingPublisher<Subject: NSObject, Value>: Publisher, Equatable {
            public typealias Output = Value
            public typealias Failure = Never

            /// The object whose values are published. The publisher keeps it, a subscription does too.
            public let object: Subject
            /// The key path that is read.
            public let keyPath: KeyPath<Subject, Value>
            /// `.initial` publishes the value of the moment too, `.prior` also the value before a change.
            public let options: NSKeyValueObservingOptions
            /// Observes the object until what it returns is released.
            fileprivate let observe: (@escaping () -> Void) -> NSKeyValueObservation

            public func receive<Downstream: Subscriber>(subscriber: Downstream)
            where Downstream.Input == Value, Downstream.Failure == Never {
                let (object, keyPath) = (object, keyPath)
                let subscription = KeyValueSubscription(subscriber) { object[keyPath: keyPath] }
                subscriber.receive(subscription: subscription)
                subscription.start(observe, sendingFirst: options.contains(.initial))
            }

            /// Two publishers are equal if they publish the same values of the same object.
            public static func == (left: Self, right: Self) -> Bool {
                left.object === right.object && left.keyPath == right.keyPath
                    && left.options == right.options
            }
        }
    }

    extension KeyObserving where Self: KeyPathNaming {
        /// Publishes the values that a key path reads, at first the present one unless the options leave out `.initial`.
        ///
        /// Values are published on the context's queue when they change, as `observe(_:options:changeHandler:)` tells of
        /// them. Raises at the subscription if the class doesn't name the key path.
        ///
        /// - Parameters:
        ///   - keyPath: a property of the object.
        ///   - options: which values are published: the present one, those after changes, those before.
        /// - Returns: a publisher that never fails.
        public func publisher<Value>(
            for keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [.initial, .new]
        ) -> NSObject.KeyValueObservingPublisher<Self, Value> {
            NSObject.KeyValueObservingPublisher(object: self, keyPath: keyPath, options: options) {
                [self] changed in
                observe(keyPath, options: options.intersection(.prior)) { _, _ in changed() }
            }
        }
    }

    extension NSManagedObjectContext {
        /// Publishes `hasChanges`, the one property of contexts that can be observed.
        ///
        /// - Parameters:
        ///   - keyPath: `\.hasChanges`.
        ///   - options: which values are published: the present one, those after changes, those before.
        /// - Returns: a publisher that never fails.
        public func publisher<Value>(
            for keyPath: KeyPath<NSManagedObjectContext, Value>,
            options: NSKeyValueObservingOptions = [.initial, .new]
        ) -> NSObject.KeyValueObservingPublisher<NSManagedObjectContext, Value> {
            NSObject.KeyValueObservingPublisher(object: self, keyPath: keyPath, options: options) {
                [self] changed in
                observe(keyPath, options: options.intersection(.prior)) { _, _ in changed() }
            }
        }
    }

    extension Progress {
        /// Publishes the values that a key path reads. They are looked at ten times a second, as
        /// `observe(_:options:changeHandler:)` of AppleShims does.
        ///
        /// - Parameters:
        ///   - keyPath: a property of the progress.
        ///   - options: which values are published: the present one, those after changes.
        /// - Returns: a publisher that never fails.
        public func publisher<Value: Equatable>(
            for keyPath: KeyPath<Progress, Value>, options: NSKeyValueObservingOptions = [.initial, .new]
        ) -> NSObject.KeyValueObservingPublisher<Progress, Value> {
            NSObject.KeyValueObservingPublisher(object: self, keyPath: keyPath, options: options) {
                [self] changed in
                observe(keyPath) { _, _ in changed() }
            }
        }
    }
#endif
