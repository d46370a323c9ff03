// Names of methods, and the question whether a managed object has a method of a name.

public import CoreData
import Foundation

/// The name of a method in Objective-C. It asks whether there is such a method; without the Objective-C runtime none is called
/// by its name.
public struct Selector: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The name with its colons: `setName:`.
    public let description: String

    /// The selector of a name.
    ///
    /// - Parameter str: the name with its colons.
    public init(_ str: String) {
        description = str
    }

    public init(stringLiteral value: String) {
        self.init(value)
    }
}

/// Returns the selector of a name.
///
/// - Parameter aSelectorName: the name with its colons.
// swift-format-ignore
public func NSSelectorFromString(_ aSelectorName: String) -> Selector { Selector(aSelectorName) }

/// Returns the name of a selector, with its colons.
// swift-format-ignore
public func NSStringFromSelector(_ aSelector: Selector) -> String { aSelector.description }

extension NSManagedObject {
    /// Returns whether the object has a member of that name: those of every managed object, the properties of its entity as
    /// `name` and `setName:`, and getters, setters and validators that its class registers or the build plugin finds.
    ///
    /// Other methods of a class have no names without the Objective-C runtime: unlike on Apple's systems the answer for
    /// them is false.
    ///
    /// - Parameter aSelector: the name; nil is no method.
    public func responds(to aSelector: Selector?) -> Bool {
        aSelector.map { hasMethod(named: $0.description) } ?? false
    }

    /// Returns whether objects of the class have a member of that name: those of every managed object, `@NSManaged`
    /// properties that the build plugin finds, and getters, setters and validators that the class registers.
    ///
    /// Other methods of a class have no names without the Objective-C runtime: unlike on Apple's systems the answer for
    /// them is false.
    ///
    /// - Parameter aSelector: the name; nil is no method.
    public static func instancesRespond(to aSelector: Selector?) -> Bool {
        aSelector.map { hasMethod(named: $0.description) } ?? false
    }
}
