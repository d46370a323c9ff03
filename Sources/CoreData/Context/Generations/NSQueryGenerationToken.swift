// The name of a query generation, which contexts hand to each other.

import CoreDataStores
import CoreDataSupport
public import Foundation

/// A state of a coordinator's stores that contexts can be pinned to (`setQueryGenerationFrom(_:)`).
///
/// A generation stays readable as long as a token or a context refers to it, unless it expires:
/// see `logLimitOption`. Tokens are equal if they stand for the same generation.
open class NSQueryGenerationToken: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Unchecked: nothing here changes, and a generation is used under its coordinator's lock only.

    /// The option of an SQLite store that limits its write-ahead log, in bytes, as a number. While a generation is
    /// read the log can only grow; beyond this its generations expire, and what they kept is given back.
    public static let logLimitOption = StoreOption.snapshotLogLimit
    /// The limit of stores without the option: 256 MiB.
    public static let defaultLogLimit = Int(SQLiteStoreOptions.defaultLogLimit)

    private static let currentToken = NSQueryGenerationToken(identifier: nil, generation: nil)
    private static let archiveKey = "CoreData.queryGeneration"

    /// `nil` in the token `current`.
    private final let identifier: UUID?
    /// `nil` in the token `current`, and in one from an archive whose generation is gone.
    final let generation: QueryGeneration?

    private init(identifier: UUID?, generation: QueryGeneration?) {
        self.identifier = identifier
        self.generation = generation
        super.init()
    }

    convenience init(_ generation: QueryGeneration) {
        self.init(identifier: generation.identifier, generation: generation)
    }

    /// Pins a context to what its stores hold when the context reads next.
    open class var current: NSQueryGenerationToken { currentToken }

    final var isCurrent: Bool { identifier == nil }

    // MARK: Archives

    /// Tokens can be read from archives that aren't trusted.
    public static var supportsSecureCoding: Bool { true }

    /// A token from an archive. It is of use as long as its generation is: in the process that archived it, while
    /// something there refers to the generation.
    public required init?(coder: NSCoder) {
        guard coder.allowsKeyedCoding, coder.containsValue(forKey: Self.archiveKey),
            let text = coder.decodeObject(of: NSString.self, forKey: Self.archiveKey) as String?
        else { return nil }
        identifier = UUID(uuidString: text)
        if identifier == nil && !text.isEmpty { return nil }
        generation = identifier.flatMap(QueryGeneration.living)
        super.init()
    }

    /// Archives which generation the token stands for, not what that holds.
    public func encode(with coder: NSCoder) {
        coder.encode((identifier?.uuidString ?? "") as NSString, forKey: Self.archiveKey)
    }

    // MARK: Equality

    /// Returns the token itself, which doesn't change.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns whether the other token stands for the same generation.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSQueryGenerationToken else { return false }
        return identifier == other.identifier
    }

    open override var hash: Int { identifier.hashValue }

    open override var description: String {
        "<NSQueryGenerationToken: \(identifier?.uuidString ?? "current")>"
    }
}
