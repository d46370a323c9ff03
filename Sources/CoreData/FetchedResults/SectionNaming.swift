// From an object's value to the name of its section, and from there to a title.

import Foundation

/// Names of sections.
enum SectionNaming {
    /// The name of an object's section: the value at the key path as text, empty for nil.
    static func name(of object: AnyObject, keyPath: String) -> String {
        let value: Any? =
            switch object {
            case let object as NSManagedObject: object.value(forKeyPath: keyPath)
            case let row as NSDictionary: row.object(forKey: keyPath)
            default: nil
            }
        return value.map(text) ?? ""
    }

    private static func text(_ value: Any) -> String {
        switch value {
        case let text as String: text
        case let text as NSString: String(describing: text)
        case let flag as Bool: flag ? "1" : "0"
        case let number as NSNumber: number.stringValue
        case is NSNull: ""
        default: "\(value)"
        }
    }

    /// The title that a section has unless a client says otherwise: the first letter of its name, capitalised.
    static func indexTitle(of name: String) -> String? {
        name.first.map { String($0).uppercased() }
    }
}
