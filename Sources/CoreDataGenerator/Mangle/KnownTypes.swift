// The types of modules whose sources aren't scanned that a managed property may have, with the module in which Linux
// has them. Mangled names tell classes from structures, so a type that isn't listed can't be named.

enum KnownTypes {
    /// The type that a name means in a file that imports CoreData, which brings Foundation.
    static func type(named name: String) -> NominalType? { byName[name] }

    /// `Foundation.Date`: the type in a module that clients name.
    static func type(named name: String, in module: String) -> NominalType? {
        guard let type = byName[name], modules[module]?.contains(type.module) == true else { return nil }
        return type
    }

    static func isModule(_ name: String) -> Bool { modules[name] != nil }

    /// Other names of types.
    static let aliases: [String: TypeSyntax] = [
        "TimeInterval": .simple("Double"),
        "Codable": .composition([.simple("Decodable"), .simple("Encodable")]),
        "Float32": .simple("Float"),
        "Float64": .simple("Double"),
    ]

    /// The name by which clients call a module, and the modules whose types it shows.
    private static let modules: [String: Set<String>] = [
        "Swift": ["Swift"],
        "FoundationEssentials": ["FoundationEssentials"],
        "Foundation": ["Foundation", "FoundationEssentials"],
        "CoreData": ["CoreData", "Foundation", "FoundationEssentials"],
    ]

    private static let byName: [String: NominalType] = {
        var types: [String: NominalType] = [:]
        for (module, kind, names) in table {
            for name in names.split(whereSeparator: \.isWhitespace).map(String.init) {
                types[name] = NominalType(module: module, name: name, kind: kind)
            }
        }
        return types
    }()

    private static let table: [(module: String, kind: NominalType.Kind, names: String)] = [
        (
            "Swift", .structure,
            """
            AnyHashable Array ArraySlice Bool Character ClosedRange ContiguousArray Dictionary Double Duration Float
            Int Int128 Int16 Int32 Int64 Int8 KeyValuePairs Range Set String Substring UInt UInt128 UInt16 UInt32
            UInt64 UInt8
            """
        ),
        ("Swift", .enumeration, "Result"),
        ("Swift", .structure, "ObjectIdentifier"),
        (
            "Swift", .protocol,
            """
            CustomDebugStringConvertible CustomStringConvertible Decodable Encodable Equatable Error Hashable
            Comparable Sendable
            """
        ),
        (
            "FoundationEssentials", .structure,
            """
            AttributedString Calendar Data Date DateComponents DateInterval Decimal IndexPath Locale TimeZone URL
            URLComponents URLQueryItem UUID
            """
        ),
        ("FoundationEssentials", .protocol, "LocalizedError"),
        (
            "Foundation", .structure,
            """
            AffineTransform CGFloat CGPoint CGRect CGSize CharacterSet IndexSet Measurement Notification
            PersonNameComponents URLError
            """
        ),
        (
            "Foundation", .class,
            """
            Dimension NSArray NSAttributedString NSCalendar NSCharacterSet NSCountedSet NSData NSDate
            NSDateComponents NSDateInterval NSDecimalNumber NSDictionary NSError NSIndexPath NSIndexSet NSLocale
            NSMeasurement NSMutableArray NSMutableAttributedString NSMutableCharacterSet NSMutableData
            NSMutableDictionary NSMutableIndexSet NSMutableOrderedSet NSMutableSet NSMutableString NSNotification
            NSNull NSNumber NSObject NSOrderedSet NSOrthography NSPersonNameComponents NSPredicate
            NSRegularExpression NSSet NSSortDescriptor NSString NSTextCheckingResult NSTimeZone NSURL
            NSURLComponents NSURLQueryItem NSUUID NSValue Progress Unit UnitAcceleration UnitAngle UnitArea
            UnitConcentrationMass UnitDispersion UnitDuration UnitElectricCharge UnitElectricCurrent
            UnitElectricPotentialDifference UnitElectricResistance UnitEnergy UnitFrequency UnitFuelEfficiency
            UnitIlluminance UnitInformationStorage UnitLength UnitMass UnitPower UnitPressure UnitSpeed
            UnitTemperature UnitVolume
            """
        ),
        (
            "Foundation", .protocol,
            "NSCoding NSCopying NSMutableCopying NSObjectProtocol NSSecureCoding"
        ),
        (
            "CoreData", .class,
            """
            NSEntityDescription NSEntityMigrationPolicy NSManagedObject NSManagedObjectContext NSManagedObjectID
            NSManagedObjectModel NSMigrationManager NSPersistentStore NSPersistentStoreCoordinator
            """
        ),
        ("CoreData", .protocol, "NSFetchRequestResult"),
    ]
}
