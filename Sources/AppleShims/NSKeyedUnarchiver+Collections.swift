// Unarchiving of collections with stated classes.

public import Foundation

extension NSKeyedUnarchiver {
    /// Returns an archived array whose members are of one class; nil if the archive holds something else.
    ///
    /// - Parameters:
    ///   - cls: the class.
    ///   - data: the archive.
    /// - Throws: `CocoaError.coderReadCorrupt` for what is no archive, or holds other classes.
    public static func unarchivedArrayOfObjects<Member: NSObject & NSSecureCoding>(
        ofClass cls: Member.Type, from data: Data
    ) throws -> [Member]? {
        guard let array = try unarchivedArrayOfObjects(ofClasses: [cls], from: data) else { return nil }
        let members = array.compactMap { $0 as? Member }
        return members.count == array.count ? members : nil
    }

    /// Returns an archived array whose members are of given classes; nil if the archive holds something else.
    ///
    /// - Parameters:
    ///   - classes: the classes.
    ///   - data: the archive.
    /// - Throws: `CocoaError.coderReadCorrupt` for what is no archive, or holds other classes.
    public static func unarchivedArrayOfObjects(
        ofClasses classes: [AnyClass], from data: Data
    ) throws -> [Any]? {
        let decoded = try unarchivedObject(ofClasses: [NSArray.self] + classes, from: data)
        return (decoded as? NSArray)?.map { $0 }
    }

    /// Returns an archived dictionary whose keys and values are of one class each; nil if the archive holds
    /// something else.
    ///
    /// - Parameters:
    ///   - keyClass: the keys' class.
    ///   - objectClass: the values' class.
    ///   - data: the archive.
    /// - Throws: `CocoaError.coderReadCorrupt` for what is no archive, or holds other classes.
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

    /// Returns an archived dictionary whose keys and values are of given classes; nil if the archive holds
    /// something else.
    ///
    /// - Parameters:
    ///   - keyClasses: the keys' classes.
    ///   - objectClasses: the values' classes.
    ///   - data: the archive.
    /// - Throws: `CocoaError.coderReadCorrupt` for what is no archive, or holds other classes.
    public static func unarchivedDictionary(
        ofKeyClasses keyClasses: [AnyClass], objectClasses: [AnyClass], from data: Data
    ) throws -> [AnyHashable: Any]? {
        let decoded = try unarchivedObject(
            ofClasses: [NSDictionary.self] + keyClasses + objectClasses, from: data)
        return decoded as? [AnyHashable: Any]
    }
}
