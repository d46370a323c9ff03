// User info of descriptions, to and from the layers' own values.

import CoreDataSupport
import Foundation

extension [Value: Value] {
    /// A client's user info as the model keeps it.
    init(userInfo: [AnyHashable: Any]?) {
        // Mostly there is none, and the first cast of each kind in a process takes long.
        guard let userInfo, !userInfo.isEmpty, case .dictionary(let values) = Value(userInfo) else {
            self = [:]
            return
        }
        self = values
    }

    /// The user info for a client.
    var userInfo: [AnyHashable: Any] { Value.dictionary(self).any as? [AnyHashable: Any] ?? [:] }
}
