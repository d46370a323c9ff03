// Numbers and rarely met keys of compiled models.

enum CompiledModelKeys {
    // NSFlagsKey of attributes.
    static let externalStorageFlag: Int64 = 4
    static let preservesValueFlag: Int64 = 16

    // No sample shows how Apple's archives hold these two; the names follow the public properties.
    static let cloudEncryption = "NSAllowsCloudEncryption"
    static let elements = "NSElements"

    static let compositeDepthLimit = 16

    // NSFetchRequestFlags. 30 is what requests with default settings have.
    static let defaultFetchFlags: Int64 = 30
    static let distinctFlag: Int64 = 1
    static let subentitiesFlag: Int64 = 2
    static let propertyValuesFlag: Int64 = 4
    static let asFaultsFlag: Int64 = 8
    static let pendingChangesFlag: Int64 = 16

    // _P of properties.
    static let isPropertyBit: Int64 = 0x01
    static let optionalBit: Int64 = 0x02
    static let readOnlyBit: Int64 = 0x04
    static let transientBit: Int64 = 0x08
    static let noValidationBits: Int64 = 0x30
    static let noUserInfoBit: Int64 = 0x40
    static let noModifierBit: Int64 = 0x80
    static let spotlightBit: Int64 = 0x100
    static let orderedBit: Int64 = 0x400
}
