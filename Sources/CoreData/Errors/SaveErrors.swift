// The errors of saves that don't come from a store.

import CoreDataStores
import Foundation

enum SaveErrors {
    /// A save inside another one of the same context. The code has no name in Apple's headers; users meet it in logs.
    static var recursive: NSError {
        CoreDataError.make(132_001, description: "attempt to recursively call -save: on the context aborted")
    }
}
