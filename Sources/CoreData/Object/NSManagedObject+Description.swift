// The description of an object in logs, which never fires a fault.

import CoreDataSchema
import Foundation

extension NSManagedObject {
    final var fullDescription: String {
        let head =
            "<\(type(of: self)): \(runtime.name)> (entity: \(runtime.name); id: \(objectID.uriRepresentation())"
        if state.isInaccessible { return head + "; the row is gone)" }
        if state.isFault { return head + "; data: <fault>)" }
        if state.traits.contains(.checked), registry.context?.confinement.isCurrent == false {
            return head + "; data: <on another queue>)"
        }
        let lines = runtime.properties.map { property -> String in
            switch property.kind {
            case .toMany(let relation):
                let members = extras?.relations[relation.number] as? ToMany
                guard let members, members.isLoaded else {
                    return "    \(property.name) = <relationship fault>"
                }
                return
                    "    \(property.name) = (\(members.objects.map { "\($0.objectID)" }.joined(separator: ", ")))"
            case .toOne(let slot, let relation):
                return
                    "    \(property.name) = \(toOne(slot, relation: relation).map { "\($0.objectID)" } ?? "nil")"
            case .fetched: return "    \(property.name) = <fetched property>"
            default: return "    \(property.name) = \(storedValue(property).map { "\($0)" } ?? "nil")"
            }
        }
        return head + "; data: {\n" + lines.joined(separator: "\n") + "\n})"
    }
}
