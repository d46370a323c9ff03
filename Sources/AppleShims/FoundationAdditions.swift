// Parts of Foundation that are on Apple's systems only.

public import Foundation

/// Runs a block. There are no autoreleased objects here.
///
/// - Returns: what the block returns.
/// - Throws: what the block throws.
public func autoreleasepool<Result, Failure: Error>(
    invoking body: () throws(Failure) -> Result
) throws(Failure) -> Result {
    try body()
}

/// Returns the seconds since the first instant of 2001, UTC.
// swift-format-ignore
public func CFAbsoluteTimeGetCurrent() -> TimeInterval { Date().timeIntervalSinceReferenceDate }

extension UserDefaults {
    /// Returns the value of a key, as `object(forKey:)` gives it.
    public func value(forKey key: String) -> Any? { object(forKey: key) }
    /// Sets the value of a key, or removes it.
    ///
    /// - Parameters:
    ///   - value: the value; nil to remove it.
    ///   - key: the key.
    public func setValue(_ value: Any?, forKey key: String) { set(value, forKey: key) }
}

extension String {
    /// The text for a key in the tables of a bundle; the key itself where there is none.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - table: the table's name, without extension; nil for `Localizable`.
    ///   - bundle: the bundle; nil for the main one.
    ///   - comment: a note for translators.
    public init(
        localized key: String, table: String? = nil, bundle: Bundle? = nil, comment: StaticString? = nil
    ) {
        self = (bundle ?? .main).localizedString(forKey: key, value: nil, table: table)
    }
}

extension NotificationCenter {
    /// Returns the notifications of a name, from the call on until the sequence is let go of.
    ///
    /// Differs from Apple's in that what nobody has read yet is kept without a limit, so that none is missed.
    ///
    /// - Parameters:
    ///   - name: the notifications' name.
    ///   - object: who posts them; nil for anybody.
    public func notifications(named name: Notification.Name, object: AnyObject? = nil) -> Notifications {
        Notifications(self, name: name, object: object)
    }

    /// Notifications as they are posted.
    public final class Notifications: AsyncSequence, @unchecked Sendable {  // its parts are
        public typealias Element = Notification

        /// A notification may leave the thread that posted it, as on Apple's systems.
        fileprivate struct Posted: @unchecked Sendable {
            let notification: Notification
        }

        private let stream: AsyncStream<Posted>

        fileprivate init(_ center: NotificationCenter, name: Notification.Name, object: AnyObject?) {
            stream = AsyncStream { continuation in
                let observer = Observer(
                    center: center,
                    token: center.addObserver(forName: name, object: object, queue: nil) {
                        continuation.yield(Posted(notification: $0))
                    })
                continuation.onTermination = { _ in observer.end() }
            }
        }

        private struct Observer: @unchecked Sendable {  // the centre guards itself
            let center: NotificationCenter
            let token: any NSObjectProtocol

            func end() { center.removeObserver(token) }
        }

        public func makeAsyncIterator() -> Iterator { Iterator(iterator: stream.makeAsyncIterator()) }

        /// Gives the notifications one after the other.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate var iterator: AsyncStream<Posted>.Iterator

            public mutating func next() async -> Notification? { await iterator.next()?.notification }
        }
    }
}

extension Bundle {
    /// Returns the bundle's resources with an extension, as `URL`s.
    ///
    /// An extension that isn't optional is what makes the compiler choose this method before Foundation's,
    /// which gives `NSURL`s off Apple's systems.
    ///
    /// - Parameters:
    ///   - ext: the extension.
    ///   - subdirectory: a folder in the bundle; nil for its top.
    public func urls(forResourcesWithExtension ext: String, subdirectory: String?) -> [URL]? {
        urls(forResourcesWithExtension: Optional(ext), subdirectory: subdirectory)
    }

    /// Returns the bundle's resources with an extension, as `URL`s, where that is what is asked for.
    ///
    /// - Parameters:
    ///   - ext: the extension; nil for any.
    ///   - subdirectory: a folder in the bundle; nil for its top.
    @_disfavoredOverload
    public func urls(forResourcesWithExtension ext: String?, subdirectory: String?) -> [URL]? {
        let found: [NSURL]? = urls(forResourcesWithExtension: ext, subdirectory: subdirectory)
        return found?.map { $0 as URL }
    }
}

/// The greatest finite number of single precision.
// swift-format-ignore
public let MAXFLOAT = Float.greatestFiniteMagnitude
