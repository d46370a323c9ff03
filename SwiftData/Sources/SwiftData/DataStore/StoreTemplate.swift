// Stores that other modules describe.

public import CoreData
import Foundation

/// The type and options of a store, as a description of Core Data's has them.
///
/// Unchecked because nobody changes the options.
final class StoreTemplate: Hashable, @unchecked Sendable {
    private let type: String
    private let url: URL?
    private let options: [String: NSObject]

    init(_ description: NSPersistentStoreDescription) {
        type = description.type
        url = description.url
        options = description.options
    }

    func apply(to description: NSPersistentStoreDescription) {
        description.type = type
        for (key, value) in options { description.setOption(value, forKey: key) }
        description.tracksHistory()
    }

    static func == (left: StoreTemplate, right: StoreTemplate) -> Bool {
        left.type == right.type && left.url == right.url
    }

    func hash(into hasher: inout Hasher) { hasher.combine(url) }
}

extension NSPersistentStoreDescription {
    /// Has the store keep a history, and tell of other processes' saves.
    func tracksHistory() {
        setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
        setOption(true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
    }
}

extension ModelConfiguration {
    /// A store of a type that another module adds to Core Data.
    @_spi(StoreTypes)
    public init(
        _ name: String, schema: Schema?, allowsSave: Bool, store description: NSPersistentStoreDescription
    ) {
        self.init(
            name, schema: schema, url: description.url ?? URL(fileURLWithPath: "/dev/null"),
            allowsSave: allowsSave,
            cloudKitDatabase: .none)
        storeKind = .described(StoreTemplate(description))
    }
}
