// The reason why a Swift key path has no key.

import CoreDataStores
import CoreDataSupport
import Foundation

/// A key path that reads no key, or whose key isn't known yet.
struct KeyPathFailure: LocalizedError, CustomNSError, CustomStringConvertible {
    let reason: String
    /// Indicates that no model has an entity of the class so far: the name may be known later.
    let lacksModel: Bool

    init(keyPath: AnyKeyPath, reason: String, lacksModel: Bool = false) {
        self.reason = "the key path \(keyPath.text) has no key: \(reason)"
        self.lacksModel = lacksModel
    }

    var description: String { reason }
    var errorDescription: String? { "The fetch can't be made: \(reason)" }

    static var errorDomain: String { NSCocoaErrorDomain }
    var errorCode: Int { NSCoreDataError }
    var errorUserInfo: [String: Any] {
        [NSLocalizedDescriptionKey: errorDescription ?? reason, CoreDataError.Key.reason: reason]
    }
}

extension AnyKeyPath {
    /// The key path as Swift prints it, where properties that Swift has no name for are known by their type, without
    /// addresses.
    var text: String {
        let parts = "\(self)".components(separatedBy: "<computed 0x")
        return parts.dropFirst().reduce(parts[0]) { text, part in
            text + "<computed " + part.drop { $0 != "(" }
        }
    }
}
