// A bookmark in the histories of stores.

import CoreDataSupport
public import Foundation

/// A place in the persistent history of one or several stores: what was saved up to a transaction.
///
/// Tokens can be archived and compared, and passed between threads and processes.
open class NSPersistentHistoryToken: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Unchecked because the only field never changes.
    /// The number of the last transaction by `NSStoreUUID`.
    package final let numbers: [String: Int64]

    package init(_ numbers: [String: Int64]) {
        self.numbers = numbers
        super.init()
    }

    /// Reads an archived token; `nil` for anything else.
    public required init?(coder: NSCoder) {
        guard let archived = coder.decodeObject(of: NSData.self, forKey: Self.archiveKey),
            let numbers = try? PropertyListDecoder().decode(
                [String: Int64].self, from: Data(referencing: archived))
        else { return nil }
        self.numbers = numbers
        super.init()
    }

    private static let archiveKey = "numbers"

    /// True: an archive holds nothing but names and numbers.
    open class var supportsSecureCoding: Bool { true }

    /// Archives the token.
    open func encode(with coder: NSCoder) {
        do {
            coder.encode(NSData(data: try PropertyListEncoder().encode(numbers)), forKey: Self.archiveKey)
        } catch {
            raise(.internalInconsistency, "Strings and integers are a property list: \(error)")
        }
    }

    /// Returns the token itself, as it can't be changed.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? NSPersistentHistoryToken)?.numbers == numbers
    }

    open override var hash: Int { numbers.hashValue }

    open override var description: String {
        let places = numbers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        return "<NSPersistentHistoryToken \(places.joined(separator: ", "))>"
    }
}
