// The entity's place in its model and in the tree of entities.

import CoreDataSupport
import Foundation

extension NSEntityDescription {

    final func setChildren(_ newValue: [NSEntityDescription]) {
        assertMutable()
        if newValue.contains(where: { ancestry.contains($0) }) {
            raise(.invalidArgument, "The entity \"\(name ?? "")\" can't inherit from itself.")
        }
        for child in children where child.parent === self { child.parent = nil }
        children = newValue
        for child in newValue {
            child.assertMutable()
            if let former = child.parent, former !== self { former.children.removeAll { $0 === child } }
            child.parent = self
        }
    }

    /// The entity itself first, its root last.
    var ancestry: [NSEntityDescription] {
        var ancestry = [self]
        while let next = ancestry[ancestry.count - 1].parent { ancestry.append(next) }
        return ancestry
    }
}
