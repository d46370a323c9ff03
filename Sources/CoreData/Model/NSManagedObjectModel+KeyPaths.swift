// Swift key paths in the requests of a model that no model in use can name.

import Foundation

extension NSManagedObjectModel {
    /// Finds the names of key paths in sort descriptors of the model's requests, which may be of the model's own
    /// classes. A copy of the model, without those descriptors, is in use for that long.
    final func nameKeyPaths() {
        if frozen != nil { return }
        let unnamed = requests.flatMap { $0.fields.sortDescriptors ?? [] }.filter { $0.lacksName }
        if unnamed.isEmpty { return }
        let sketch = DescriptionCopier().copy(self)
        for request in sketch.requests { request.fields.sortDescriptors = nil }
        withExtendedLifetime(ManagedModel.of(sketch)) {
            // Names that were found are kept for good. A caller that needs one that wasn't found is told why.
            for descriptor in unnamed { _ = descriptor.lacksName }
        }
    }

    /// The templates and the requests of fetched properties.
    private final var requests: [NSFetchRequest<any NSFetchRequestResult>] {
        let properties = allEntities.flatMap(\.ownProperties).compactMap {
            $0 as? NSFetchedPropertyDescription
        }
        return templates.values + properties.compactMap(\.fetchRequest)
    }
}

extension NSSortDescriptor {
    /// Indicates whether the descriptor has a Swift key path that no model in use names.
    fileprivate var lacksName: Bool {
        do {
            return try resolvedSortKey() == nil
        } catch {
            return true
        }
    }
}
