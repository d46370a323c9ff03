// The description by which a container or coordinator adds a store.

public import Foundation

/// The settings to make and open a store.
///
/// The convenience properties are views of `options`.
///
/// ```swift
/// let description = NSPersistentStoreDescription(url: url)
/// description.shouldMigrateStoreAutomatically = false
/// description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
/// container.persistentStoreDescriptions = [description]
/// ```
open class NSPersistentStoreDescription: NSObject, NSCopying {
    /// The store's type, `NSSQLiteStoreType` by default.
    open var type: String
    /// The configuration of the model whose entities the store is to hold; `nil` for all.
    open var configuration: String?
    /// The location of the store: `file:///dev/null`, an SQLite store in memory, unless it is set. A
    /// description without a URL suits stores of the type `NSInMemoryStoreType` only.
    open var url: URL?
    /// Indicates whether the store is added on another thread. False by default.
    open var shouldAddStoreAsynchronously: Bool
    private final var optionValues: [String: NSObject]

    /// A description of an SQLite store at the URL, which migrates itself where it can.
    public init(url: URL) {
        type = NSSQLiteStoreType
        self.url = url
        shouldAddStoreAsynchronously = false
        optionValues = Self.defaultOptions
        super.init()
    }

    /// A description of an SQLite store at `/dev/null`: in memory, private to the coordinator that it is added to.
    public override init() {
        type = NSSQLiteStoreType
        url = URL(fileURLWithPath: "/dev/null")
        shouldAddStoreAsynchronously = false
        optionValues = Self.defaultOptions
        super.init()
    }

    private static var defaultOptions: [String: NSObject] {
        [
            NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
            NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
        ]
    }

    /// The options that the store is added with.
    open var options: [String: NSObject] { optionValues }

    /// Sets an option, or with `nil` removes it.
    ///
    /// ```swift
    /// let description = NSPersistentStoreDescription(url: url)
    /// description.setOption(true as NSNumber, forKey: NSReadOnlyPersistentStoreOption)
    /// ```
    ///
    /// - Parameters:
    ///   - option: the value, or nil.
    ///   - key: the option's key.
    open func setOption(_ option: NSObject?, forKey key: String) {
        optionValues[key] = option
    }

    /// The pragmas among the options (`NSSQLitePragmasOption`).
    open var sqlitePragmas: [String: NSObject] {
        guard let pragmas = optionValues[NSSQLitePragmasOption] as? NSDictionary else { return [:] }
        var result: [String: NSObject] = [:]
        for (key, value) in pragmas {
            guard let name = key as? String else { continue }
            result[name] = value as? NSObject ?? ("\(value)" as NSString)
        }
        return result
    }

    /// Sets a pragma that SQLite gets when the store is opened, or with `nil` removes it.
    ///
    /// - Parameters:
    ///   - value: the value, or nil.
    ///   - name: the pragma's name.
    open func setValue(_ value: NSObject?, forPragmaNamed name: String) {
        var pragmas = sqlitePragmas
        pragmas[name] = value
        let boxed = NSMutableDictionary()
        for (name, value) in pragmas { boxed.setObject(value, forKey: name as NSString) }
        optionValues[NSSQLitePragmasOption] = pragmas.isEmpty ? nil : boxed
    }

    /// Indicates whether the store can't be written (`NSReadOnlyPersistentStoreOption`). False by default.
    open var isReadOnly: Bool {
        get { flag(NSReadOnlyPersistentStoreOption) }
        set { optionValues[NSReadOnlyPersistentStoreOption] = NSNumber(value: newValue) }
    }

    /// Seconds to wait for a store that another process has locked (`NSPersistentStoreTimeoutOption`). 240 by
    /// default.
    open var timeout: TimeInterval {
        get { (optionValues[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? 240 }
        set { optionValues[NSPersistentStoreTimeoutOption] = NSNumber(value: newValue) }
    }

    /// Indicates whether a store of an older model is migrated when it is added. True by default.
    open var shouldMigrateStoreAutomatically: Bool {
        get { flag(NSMigratePersistentStoresAutomaticallyOption) }
        set { optionValues[NSMigratePersistentStoresAutomaticallyOption] = NSNumber(value: newValue) }
    }

    /// Indicates whether a migration may infer how the models correspond. True by default.
    open var shouldInferMappingModelAutomatically: Bool {
        get { flag(NSInferMappingModelAutomaticallyOption) }
        set { optionValues[NSInferMappingModelAutomaticallyOption] = NSNumber(value: newValue) }
    }

    private func flag(_ option: String) -> Bool {
        (optionValues[option] as? NSNumber)?.boolValue ?? false
    }

    /// Returns a description that says the same.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSPersistentStoreDescription()
        copy.type = type
        copy.configuration = configuration
        copy.url = url
        copy.shouldAddStoreAsynchronously = shouldAddStoreAsynchronously
        copy.optionValues = optionValues
        return copy
    }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPersistentStoreDescription else { return false }
        return self === other
            || type == other.type && configuration == other.configuration && url == other.url
                && shouldAddStoreAsynchronously == other.shouldAddStoreAsynchronously
                && optionValues == other.optionValues
    }

    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(type)
        hasher.combine(url)
        return hasher.finalize()
    }

    open override var description: String {
        "<NSPersistentStoreDescription type: \(type), url: \(url?.absoluteString ?? "none")>"
    }
}
