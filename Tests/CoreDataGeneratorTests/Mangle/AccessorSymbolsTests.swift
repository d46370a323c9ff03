// Names of symbols, compared with those that the compiler itself makes.

import CoreDataGenerator
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct AccessorSymbolsTests {
    /// A module that looks to the compiler as the library does. Names don't depend on what stands in it.
    private static let library = """
        @_exported import Foundation
        open class NSManagedObject: NSObject {
            public struct Inner { public class Deep: NSManagedObject {} }
        }
        open class NSManagedObjectID: NSObject {}
        @_marker public protocol NSFetchRequestResult: AnyObject {}
        """

    /// Returns the compiler's names for the accessors that it misses.
    private func expected(_ sources: [String: String], module: String = "App") throws -> Set<String> {
        let scratch = try ScratchSources(sources)
        try Data(Self.library.utf8).write(to: scratch.folder.appending(path: "Library.swift"))
        _ = try scratch.run([
            "swiftc", "-emit-module", "-module-name", "CoreData", "-parse-as-library", "Library.swift",
        ])
        // An object file for each source: of a whole module's, what nothing in it uses is left out.
        let names = sources.keys.sorted()
        _ = try scratch.run(
            ["swiftc", "-c", "-parse-as-library", "-I", ".", "-module-name", module, "-package-name", "p"]
                + names)
        let lines = try scratch.run(["nm"] + names.map { $0.replacing(".swift", with: ".o") })
        var (defined, missing): (Set<String>, Set<String>) = ([], [])
        for line in lines.split(separator: "\n") {
            let fields = line.split(separator: " ").map(String.init)
            if fields.count == 2, fields[0] == "U" { missing.insert(fields[1]) }
            if fields.count == 3 { defined.insert(fields[2]) }
        }
        return missing.subtracting(defined).filter {
            $0.hasPrefix("$s\(module.count)\(module)") || $0.contains("3AppE")
        }
    }

    /// Returns our names for them.
    private func computed(_ sources: [String: String], module: String = "App") throws -> Set<String> {
        let scan = try ScratchSources(sources).scan(module)
        let library = try ScratchSources(Self.library).scan("CoreData")
        let resolver = TypeResolver(scan, dependencies: [library])
        var names: Set<String> = []
        func visit(_ members: ScannedMembers, _ syntax: TypeSyntax) throws {
            for inner in members.types {
                try visit(inner.members, .named(syntax.components + [.init(inner.name)]))
            }
            guard
                members.properties.contains(where: \.isManaged)
                    || members.methods.contains(where: \.isManaged)
            else { return }
            let type = try resolver.nominal(syntax, in: [module])
            let symbols = AccessorSymbols(moduleName: module, type: type)
            for property in members.properties where property.isManaged {
                let type = try resolver.resolve(try #require(property.type), in: type.qualifiedPath)
                names.insert(symbols.getter(property, propertyType: type))
                names.insert(symbols.setter(property, propertyType: type))
            }
            for method in members.methods where method.isManaged {
                let types = try method.parameters.map {
                    try resolver.resolve($0.type, in: type.qualifiedPath)
                }
                let result = try method.result.map { try resolver.resolve($0, in: type.qualifiedPath) }
                names.insert(symbols.method(method, parameters: types, result: result))
            }
            for inner in members.types {
                try visit(inner.members, .named(syntax.components + [.init(inner.name)]))
            }
        }
        for file in scan.files {
            for type in file.types { try visit(type.members, .named([.init(type.name)])) }
            for declaration in file.extensions { try visit(declaration.members, declaration.extended) }
        }
        return names
    }

    private func check(_ sources: [String: String]) throws {
        let (expected, computed) = (try expected(sources), try computed(sources))
        #expect(!expected.isEmpty)
        expect(expected.subtracting(computed).sorted(), equals: [])
        expect(computed.subtracting(expected).sorted(), equals: [])
    }

    @Test func typesOfTheLanguageAndOfFoundation() throws {
        try check(["Hero.swift": Self.plainTypes])
    }

    @Test func typesOfTheModule() throws {
        try check(["Hero.swift": Self.moduleTypes, "More.swift": Self.otherFile])
    }

    @Test func methods() throws {
        try check(["Hero.swift": Self.methods])
    }

    @Test func namesThatRepeatWordsOrAreNotLatin() throws {
        try check(["Hero.swift": Self.names])
    }

    private static let plainTypes = """
        import CoreData
        class Hero: NSManagedObject {
            @NSManaged var i16: Int16, i32: Int32, i64: Int64, i8: Int8, i: Int, u8: UInt8, u16: UInt16, u: UInt
            @NSManaged var f: Float, d: Double, flag: Bool, interval: TimeInterval, long: Float64
            @NSManaged var string: String, maybe: String?, forced: String!, twice: String??, char: Character
            @NSManaged var long1: Swift.Optional<Int>, long2: Swift.Array<Swift.String>, long3: Dictionary<String, Int>
            @NSManaged var data: Data?, date: Date?, uuid: UUID?, url: URL?, decimal: Decimal?, locale: Locale
            @NSManaged var zone: TimeZone, calendar: Calendar, path: IndexPath, parts: DateComponents
            @NSManaged var indexes: IndexSet, person: PersonNameComponents, text: AttributedString, chars: CharacterSet
            @NSManaged var float: CGFloat, point: CGPoint, rect: CGRect?, length: Measurement<UnitLength>
            @NSManaged var number: NSNumber?, decimalNumber: NSDecimalNumber?, string2: NSString, data2: NSData
            @NSManaged var date2: NSDate?, url2: NSURL, uuid2: NSUUID, set: NSSet?, ordered: NSOrderedSet?
            @NSManaged var array: NSArray, dictionary: NSDictionary, object: NSObject?, mutable: NSMutableSet
            @NSManaged var any: Any, anyMaybe: Any?, anyObject: AnyObject?, coding: NSCoding?, copying: any NSCopying
            @NSManaged var both: (NSCoding & NSCopying)?, hashable: (any Hashable)?, codable: Codable?
            @NSManaged var error: Error?, described: CustomStringConvertible, sendable: (any Sendable)?
            @NSManaged var strings: [String], maybes: [String?]?, table: [String: [Int]], anyTable: [AnyHashable: Any]
            @NSManaged var numbers: Set<NSNumber>, same: [Int: Int], nested: [[String: Set<Int>]]?
            @NSManaged var range: Range<Int>, closed: ClosedRange<Double>, part: Substring, id: NSManagedObjectID?
            @NSManaged var result: (any NSFetchRequestResult)?, qualified: Foundation.Date, deep: Foundation.NSSet?
            @NSManaged var wide: Int128, duration: Duration, hashes: Set<AnyHashable>, parents: Set<NSManagedObject>?
        }
        """

    private static let moduleTypes = """
        import CoreData
        protocol Proto {}
        protocol Zed: AnyObject {}
        enum Kind: Int { case x }
        struct Point { struct Inner { enum Leaf { case a } } }
        struct Box<Content> { var content: Content }
        typealias Friends = Set<Hero>
        typealias Pairs = [String: Friends]
        public class Base: NSManagedObject { typealias Shared = Kind; struct Part {} }
        public class Hero: Base {
            struct Tag {}
            class Helper: NSManagedObject { @NSManaged public var tag: Tag; @NSManaged var hero: Hero? }
            @NSManaged var kind: Kind, maybeKind: Kind?, point: Point, leaf: Point.Inner.Leaf?
            @NSManaged var proto: Proto, protoMaybe: (any Proto)?, both: any Zed & Proto, classed: (Hero & Proto)?
            @NSManaged var friends: Friends, maybeFriends: Friends?, pairs: Pairs, tag: Tag?, shared: Shared, part: Part
            @NSManaged var me: Hero, maybe: Hero?, all: [Hero], byName: [String: Hero], box: Box<Int>, qualified: App.Hero
            @NSManaged var boxes: [Box<Point.Inner>], helper: Helper?
            @NSManaged fileprivate var hidden: [String: Int]?
            @NSManaged fileprivate var hidden2: [String: Int]?
            @NSManaged private var secret: [Hero], secret3: [Hero]
            @NSManaged public private(set) var half: String?
            @NSManaged package var packaged: Hero?
            @NSManaged final var last: Int
            func use() { swap(&hidden, &hidden2); swap(&secret, &secret3) }
        }
        """

    private static let otherFile = """
        import Foundation
        import CoreData
        extension Hero {
            @NSManaged public var added: Set<Hero>
            @NSManaged private var secret2: Tag?
            enum Late { class Inner: NSManagedObject { @NSManaged var late: Late?, tag: Tag } }
            func useSecret() -> Bool { defer { secret2 = nil }; return secret2 == nil }
        }
        private extension Hero {
            @NSManaged var narrow: Int
            func useNarrow() { narrow += 1 }
        }
        extension Hero.Helper { @NSManaged var helped: Hero.Late? }
        extension NSManagedObject.Inner.Deep { @NSManaged var foreign: Hero?
            struct Mine { class Own: NSManagedObject { @NSManaged var mine: Mine? } } }
        final class Last: Hero { @NSManaged var more: Friends }
        """

    private static let methods = """
        import CoreData
        protocol Proto {}
        protocol Zed {}
        class Hero: NSManagedObject {
            @NSManaged func addToFriends(_ value: Hero)
            @NSManaged func addToFriends(_ values: NSSet)
            @NSManaged func addToFriends2(_ values: Set<Hero>)
            @NSManaged func insertIntoFriends(_ value: Hero, at idx: Int)
            @NSManaged func insertIntoFriends(_ values: [Hero], at indexes: NSIndexSet)
            @NSManaged func removeFromFriends(at idx: Int)
            @NSManaged func removeFromFriends(at indexes: NSIndexSet)
            @NSManaged func replaceFriends(at idx: Int, with value: Hero)
            @NSManaged func replaceFriends(at indexes: NSIndexSet, with values: [Hero])
            @NSManaged private func addToSecret(_ value: Hero)
            @NSManaged func a(_ a: Any, _ b: Any)
            @NSManaged func b(_ a: Any?, _ b: Any?)
            @NSManaged func c(_ a: Proto, _ b: Proto)
            @NSManaged func d(_ a: Proto?, _ b: Proto?)
            @NSManaged func e(_ a: Int8, _ b: Int8)
            @NSManaged func f(_ a: Hero?, _ b: Hero?)
            @NSManaged func g(_ a: Set<Hero>, _ b: Set<Hero>?)
            @NSManaged func h(_ a: [Int: Int], _ b: [Int: Int])
            @NSManaged func i(_ a: Zed & Proto, _ b: Proto & Zed)
            @NSManaged func j(_ a: Date, _ b: Date) -> Date?
            @NSManaged func k(x a: Int?, _ b: Int?, x c: Int)
            @NSManaged func l(_ a: (Int, Int))
            @NSManaged func m() -> String
            func use() { addToSecret(self) }
        }
        class M0: NSManagedObject {
            @NSManaged func many(
                bb: M1, cc: M2, dd: M3, ee: M4, ff: M5, gg: M6, hh: M7, ii: M8, jj: M9, kk: M1, ll: M2, mm: M9, nn: M8)
        }
        class M1 {}; class M2 {}; class M3 {}; class M4 {}; class M5 {}; class M6 {}; class M7 {}; class M8 {}
        class M9 {}
        """

    private static let names = """
        import CoreData
        class Hero: NSManagedObject {
            @NSManaged var größe: Int, ünï: Date?, 日本語: String, x_y_z: Int, _under: Int, été2: Int
            @NSManaged var HTTPServerHTTPServer: Int, aB: Int, App: Int, Hero: Int, name1Name2name: Int, a: Int
            @NSManaged var `default`: Int, `class`: String?, heroHero: Int, AppHeroApp: Int, Heroes_Hero: Int
            @NSManaged var foundationDate: Date, Foundation: Date, int: Int, String: Double, essentialsURL: URL
        }
        class HeroHero: NSManagedObject {
            @NSManaged var heroHero: HeroHero, heroes: [HeroHero?], lazyHero2Hero: Hero?
        }
        class Zwölf: NSManagedObject {
            @NSManaged var x: Zwölf?
            struct Zwei { class Drei: NSManagedObject { @NSManaged var v: Zwei } }
        }
        class OneTwoThreeFourFiveSixSevenEightNineTen: NSManagedObject {
            @NSManaged var ElevenTwelveThirteenFourteenFifteenSixteenSeventeenEighteenNineteenTwenty: Int
            @NSManaged var AaBbCcDdEeFfGgHhIiJjKkLlMmNnOoPpQqRrSsTtUuVvWwXxYyZzAaZzYy: NSNumber
        }
        """
}

extension TypeSyntax {
    fileprivate var components: [Component] {
        if case .named(let components) = self { components } else { [] }
    }
}
