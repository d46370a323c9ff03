// Unarchiving of collections with stated classes.

public import Foundation

extension NSKeyedUnarchiver {
    /// An archived array whose members are of one class; nil if the archive holds something else.
    public static func unarchivedArrayOfObjects<Member: NSObject & NSSecureCoding>(
        ofClass cls: Member.Type, from data: Data
    ) throws -> [Member]? {
        guard let array = try unarchivedArrayOfObjects(ofClasses: [cls], from: data) else { return nil }
        let members = array.compactMap { $0 as? Member }
        return members.count == array.count ? members : nil
    }

    /// An archived array whose members are of given classes; nil if the archive holds something else.
    public static func unarchivedArrayOfObjects(
        ofClasses classes: [AnyClass], from data: Data
    ) throws -> [Any]? {
        let decoded = try unarchivedObject(ofClasses: [NSArray.self] + classes, from: data)
        return (decoded as? NSArray)?.map { $0 }
    }

    /// An archived dictionary whose keys and values are of one class each; nil if the archive holds something else.
    public static func unarchivedDictionary<
        Key: NSObject & NSCopying & NSSecureCoding, Value: NSObject & NSSecureCoding
    >(
        ofKeyClass keyClass: Key.Type, objectClass: Value.Type, from data: Data
    ) throws -> [Key: Value]? {
        let decoded = try unarchivedDictionary(
            ofKeyClasses: [keyClass], objectClasses: [objectClass], from: data)
        guard let decoded else { return nil }
        var dictionary: [Key: Value] = [:]
        for (key, value) in decoded {
            guard let key = key.base as? Key, let value = value as? Value else { return nil }
            dictionary[key] = value
        }
        return dictionary
    }

    /// An archived dictionary whose keys and values are of given classes; nil if the archive holds something else.
    public static func unarchivedDictionary(
        ofKeyClasses keyClasses: [AnyClass], objectClasses: [AnyClass], from data: Data
    ) throws -> [AnyHashable: Any]? {
        let decoded = try unarchivedObject(
            ofClasses: [NSDictionary.self] + keyClasses + objectClasses, from: data)
        return decoded as? [AnyHashable: Any]
    }
}
