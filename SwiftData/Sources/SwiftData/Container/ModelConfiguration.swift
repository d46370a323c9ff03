// Where and how a container keeps models.

public import Foundation

/// A store of a container: its file, or memory, and the models that it keeps.
///
/// ```swift
/// let configuration = ModelConfiguration(isStoredInMemoryOnly: true)
/// let container = try ModelContainer(for: Trip.self, configurations: configuration)
/// ```
public struct ModelConfiguration: DataStoreConfiguration, Hashable, Identifiable, Sendable,
    CustomDebugStringConvertible
{
    /// The type of the store: one that Core Data keeps.
    public typealias Store = DefaultStore

    /// The name, by default that of the file.
    public var name: String
    /// The models of the store; nil for all of the container's.
    public var schema: Schema?
    /// The file. `/dev/null`, or a name below it, for memory.
    public let url: URL
    /// Indicates that nothing is kept when the process ends.
    public let isStoredInMemoryOnly: Bool
    /// Indicates whether the store may be written.
    public let allowsSave: Bool
    /// The group whose folder the store lies in. Without a meaning off Apple's systems.
    public let groupContainer: GroupContainer
    /// The name of the group.
    public let groupAppContainerIdentifier: String?
    /// The cloud's database. Without a meaning off Apple's systems.
    public let cloudKitDatabase: CloudKitDatabase
    /// The name of the cloud's container.
    public let cloudKitContainerIdentifier: String?
    /// The kind of store and its options beside those above: what `init(postgreSQL:)` of another module states.
    var storeKind: StoreKind = .sqlite

    /// A store in memory or in the default file, `default.store`.
    public init(isStoredInMemoryOnly: Bool) {
        self.init(nil, schema: nil, isStoredInMemoryOnly: isStoredInMemoryOnly)
    }

    /// A store of some of the container's models.
    ///
    /// - Parameters:
    ///   - types: the classes.
    ///   - isStoredInMemoryOnly: whether nothing is kept when the process ends.
    @_disfavoredOverload
    public init(for types: any PersistentModel.Type..., isStoredInMemoryOnly: Bool = false) {
        self.init(nil, schema: Schema(types), isStoredInMemoryOnly: isStoredInMemoryOnly)
    }

    /// A store of a name in the default folder, or in memory.
    ///
    /// - Parameters:
    ///   - name: the name; the file is `NAME.store`.
    ///   - schema: the models of the store; nil for all of the container's.
    ///   - isStoredInMemoryOnly: whether nothing is kept when the process ends.
    ///   - allowsSave: whether the store may be written.
    ///   - groupContainer: without a meaning off Apple's systems.
    ///   - cloudKitDatabase: without a meaning off Apple's systems.
    public init(
        _ name: String? = nil, schema: Schema? = nil, isStoredInMemoryOnly: Bool = false,
        allowsSave: Bool = true,
        groupContainer: GroupContainer = .automatic, cloudKitDatabase: CloudKitDatabase = .automatic
    ) {
        self.name = name ?? "default"
        self.schema = schema
        self.isStoredInMemoryOnly = isStoredInMemoryOnly
        self.allowsSave = allowsSave
        self.groupContainer = groupContainer
        groupAppContainerIdentifier = groupContainer.identifier
        self.cloudKitDatabase = cloudKitDatabase
        cloudKitContainerIdentifier = cloudKitDatabase.identifier
        url =
            isStoredInMemoryOnly
            ? URL(fileURLWithPath: "/dev/null")
            : Self.defaultFolder.appendingPathComponent("\(name ?? "default").store")
    }

    /// A store in a file.
    ///
    /// - Parameters:
    ///   - name: the name, by default that of the file without extension.
    ///   - schema: the models of the store; nil for all of the container's.
    ///   - url: the file.
    ///   - allowsSave: whether the store may be written.
    ///   - cloudKitDatabase: without a meaning off Apple's systems.
    public init(
        _ name: String? = nil, schema: Schema? = nil, url: URL, allowsSave: Bool = true,
        cloudKitDatabase: CloudKitDatabase = .automatic
    ) {
        self.name = name ?? url.deletingPathExtension().lastPathComponent
        self.schema = schema
        self.url = url
        isStoredInMemoryOnly = url.isFileURL && "\(url.path)/".hasPrefix("/dev/null/")
        self.allowsSave = allowsSave
        groupContainer = .none
        groupAppContainerIdentifier = nil
        self.cloudKitDatabase = cloudKitDatabase
        cloudKitContainerIdentifier = cloudKitDatabase.identifier
    }

    /// The file, or the name and models of a store in memory.
    public var id: String {
        if isStoredInMemoryOnly {
            let models = schema.map { ":" + $0.entities.map(\.name).sorted().joined(separator: ",") }
            return "memory:\(name)" + (models ?? "")
        }
        return url.isFileURL ? url.standardizedFileURL.path : url.absoluteString
    }

    public var debugDescription: String {
        "ModelConfiguration(\(name), \(isStoredInMemoryOnly ? "memory" : url.path))"
    }
}

extension ModelConfiguration {
    /// The group of an app whose folder a store lies in. Without a meaning off Apple's systems.
    public struct GroupContainer: Hashable, Sendable {
        let identifier: String?
        private let isAutomatic: Bool

        /// The first group of the app, if there is one.
        public static var automatic: GroupContainer { GroupContainer(identifier: nil, isAutomatic: true) }
        /// No group.
        public static var none: GroupContainer { GroupContainer(identifier: nil, isAutomatic: false) }
        /// The group of a name.
        public static func identifier(_ name: String) -> GroupContainer {
            GroupContainer(identifier: name, isAutomatic: false)
        }
    }

    /// The cloud's database of a store. Without a meaning off Apple's systems.
    public struct CloudKitDatabase: Hashable, Sendable {
        let identifier: String?
        private let isAutomatic: Bool

        /// The database of the app's first container, if there is one.
        public static var automatic: CloudKitDatabase { CloudKitDatabase(identifier: nil, isAutomatic: true) }
        /// None.
        public static var none: CloudKitDatabase { CloudKitDatabase(identifier: nil, isAutomatic: false) }
        /// The private database of a container.
        public static func `private`(_ name: String) -> CloudKitDatabase {
            CloudKitDatabase(identifier: name, isAutomatic: false)
        }
    }
}
