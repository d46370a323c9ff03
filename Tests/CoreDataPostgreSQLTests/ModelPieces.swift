// A short way to build models in code, for the suites of this module.

import CoreData

extension NSAttributeDescription {
    /// An optional attribute.
    convenience init(_ name: String, _ type: NSAttributeType) {
        self.init()
        (self.name, attributeType, isOptional) = (name, type, true)
    }
}
