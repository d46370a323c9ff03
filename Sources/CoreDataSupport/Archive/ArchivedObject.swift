// An object of a class that only the application knows, kept as it was archived.

package import Foundation

/// The class names and fields that an archive states for an object that is not made. about an object that is
/// not made: class names and fields. Equal when these are.
package final class ArchivedObject: NSObject, Sendable {
    package struct Field: Sendable, Hashable {
        package let key: String
        package let value: Value
        /// Indicates whether the archive holds the field's elements in place instead of pointing to an array.
        package let isInline: Bool

        package init(key: String, value: Value, isInline: Bool = false) {
            self.key = key
            self.value = value
            self.isInline = isInline
        }
    }

    /// The class and its ancestors, the class first.
    package let classNames: [String]
    package let fields: [Field]

    package init(classNames: [String], fields: [Field]) {
        self.classNames = classNames
        self.fields = fields
    }

    package override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? ArchivedObject else { return false }
        return classNames == other.classNames && fields == other.fields
    }

    package override var hash: Int { classNames.hashValue }
}
