import CoreData
import Foundation

/// A class of values that tells the type of their attribute.
public protocol AttributeValue {
    static var kind: NSAttributeType { get }
}

extension NSNumber: AttributeValue {
    @objc public class var kind: NSAttributeType {
        return .integer64AttributeType
    }
}

extension NSDecimalNumber {
    public override class var kind: NSAttributeType {
        return .decimalAttributeType
    }
}

extension NSAttributeDescription {
    /// Nil for a name that managed objects have a member of.
    public convenience init?(_ name: String, of type: any AttributeValue.Type) {
        if NSManagedObject.instancesRespond(to: Selector(name)) { return nil }
        self.init(name, type.kind)
    }
}
