// Object IDs from the URIs that they were written as.

import Foundation

extension NSPersistentStoreCoordinator {
    final func objectID(forURI url: URL) -> NSManagedObjectID? {
        guard url.scheme?.lowercased() == "x-coredata", let identifier = url.host, !identifier.isEmpty,
            let store = store(identifier: identifier)
        else { return nil }
        let parts = url.pathComponents.filter { $0 != "/" }
        guard parts.count == 2, let entity = runtime.entity(named: parts[0]), parts[1].first == "p" else {
            return nil
        }
        return store.objectID(forReferenceText: String(parts[1].dropFirst()), entity: entity)
    }
}
