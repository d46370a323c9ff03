// Supplied accessors in programs that the compiler builds in each of its ways: that every symbol is found, by every
// kind of use.

import CoreDataGenerator
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct AccessorLinkTests {
    /// A module that has of the library what accessors call. Values lie in a dictionary.
    private static let library = """
        @_exported import Foundation
        open class NSManagedObject: NSObject {
            public var values: [String: Any] = [:]
            public final subscript<Value>(attribute: ManagedAttribute) -> Value {
                get { values["\\(attribute.key)"] as? Value ?? (Optional<Any>.none as Any) as? Value ?? 0 as! Value }
                set { values["\\(attribute.key)"] = newValue }
            }
            public final subscript<Value>(relationship: ManagedRelationship) -> Value {
                get { values["\\(relationship.key)"] as? Value ?? (Optional<Any>.none as Any) as! Value }
                set { values["\\(relationship.key)"] = newValue }
            }
            public final func add(_ object: NSManagedObject, to relationship: ManagedRelationship) {
                values["added to \\(relationship.key)"] = object
            }
        }
        public struct ManagedAttribute {
            let key: StaticString
            public init(_ key: StaticString) { self.key = key }
        }
        public struct ManagedRelationship {
            let key: StaticString
            public init(_ key: StaticString) { self.key = key }
        }
        public struct KeyRegistry {
            public mutating func getter<Object, Value>(_ key: String, _ get: @escaping (Object) -> Value) {}
            public mutating func setter<Object, Value>(_ key: String, _ set: @escaping (Object, Value) -> Void) {}
            public mutating func setter<Object, Value>(
                _ key: String, _ keyPath: ReferenceWritableKeyPath<Object, Value>
            ) {}
            public mutating func keyPath(_ key: String, _ keyPath: AnyKeyPath) { keyPaths[keyPath] = key }
            public mutating func register<Members>(_ members: Members) {
                unsafeBitCast(members, to: ((inout KeyRegistry) -> Void).self)(&self)
            }
            public var keyPaths: [AnyKeyPath: String] = [:]
            public init() {}
        }
        open class ManagedKeys {
            open class func register(in keys: inout KeyRegistry) {}
            open class func registerKeyPaths(in keys: inout KeyRegistry) {}
        }
        """

    private static let program = """
        import CoreData
        open class Hero: NSManagedObject {
            @NSManaged open var o: String?
            @NSManaged public var p: String?
            @NSManaged package var k: String?
            @NSManaged internal var i: String?
            @NSManaged fileprivate var f: String?
            @NSManaged private var v: String?
            @NSManaged public private(set) var s: String?
            @NSManaged public final var n: Int
            @NSManaged public var mate: Hero?
            @NSManaged public func addToFriends(_ hero: Hero)
            @NSManaged private func addToSecrets(_ hero: Hero)
            @NSManaged func addPalsObject(_ hero: Hero)
            func fill() {
                (o, p, k, i, f, v, s) = ("o", "p", "k", "i", "f", "v", "s")
                n += 2
                o?.append("+")
                change(&p)
                change(&v)
                mate = self
                mate?.n *= 3
                addToFriends(self)
                addToSecrets(self)
                addPalsObject(self)
            }
            var all: [String] { [o, p, k, i, f, v, s].map { $0 ?? "nil" } + ["\\(n)"] }
        }
        func change(_ text: inout String?) { text = (text ?? "") + "!" }
        class Over: Hero {
            override var o: String? { get { "over " + (super.o ?? "") } set { super.o = newValue } }
            @NSManaged override var p: String?
            enum Inner { final class Deep: NSManagedObject { @NSManaged var d: Value?; typealias Value = Date } }
        }
        @MainActor final class Shown: NSManagedObject { @NSManaged var text: String? }
        private class Hidden: NSManagedObject {
            @NSManaged var a: String?
            @NSManaged private var b: Int
            @NSManaged func addToFriends(_ hero: Hero)
            func fill() -> [String] { (a, b) = ("h", 5); a?.append("!"); b += 1; return [a ?? "", "\\(b)"] }
        }
        extension Hidden { @NSManaged fileprivate var late: String? }
        enum Nest { fileprivate final class Hidden: NSManagedObject { @NSManaged var a: String? } }
        func hidden() -> [String] {
            let (hidden, nested) = (Hidden(), Nest.Hidden())
            (hidden.late, nested.a) = ("l", "n")
            hidden.addToFriends(Hero())
            return hidden.fill() + [hidden.late ?? "", nested.a ?? "", hidden[keyPath: \\Hidden.a] ?? ""]
        }
        class Narrow: NSManagedObject { @NSManaged public var a: String?; @NSManaged open var b: String? }
        """

    private static let main = """
        import CoreData
        extension Hero { @NSManaged var late: [String]; @NSManaged private var later: Int
            func useLater() -> Int { later = 4; return later } }
        private class Hidden: NSManagedObject { @NSManaged var a: Int }
        @main struct Main {
            @MainActor static func main() {
                let hero = Hero()
                hero.fill()
                print(hero.all.joined(separator: " "), hero.useLater())
                let over: Hero = Over()
                over.o = "1"
                over.p = "2"
                print(over.o ?? "nil", over.p ?? "nil", over[keyPath: \\Hero.o] ?? "nil")
                let path: ReferenceWritableKeyPath<Hero, String?> = \\.p
                hero[keyPath: path]?.append("k")
                hero.late = ["x"]
                hero.late.append("y")
                print(hero[keyPath: path] ?? "nil", hero.late, hero.mate === hero)
                let (deep, shown, narrow) = (Over.Inner.Deep(), Shown(), Narrow())
                deep.d = Date(timeIntervalSinceReferenceDate: 0)
                (shown.text, narrow.a, narrow.b) = ("t", "a", "b")
                print(deep.d == Date(timeIntervalSinceReferenceDate: 0), shown.text ?? "", narrow.a ?? "", narrow.b ?? "")
                let other = Hidden()
                other.a = 7
                print(hidden(), other.a)
                var keys = KeyRegistry()
                Hero__Keys.registerKeyPaths(in: &keys)
                Over__Keys.registerKeyPaths(in: &keys)
                print([\\Hero.o, \\Hero.mate, \\Over.o, \\Over.late, \\Hero.all].map { keys.keyPaths[$0] ?? "-" })
                print(hero.values.keys.filter { $0.hasPrefix("added") }.sorted())
            }
        }
        """

    private static let expected = """
        o+ p! k i f v! s 6 4
        over 1 2 over 1
        p!k ["x", "y"] true
        true t a b
        ["h!", "6", "l", "n", "h!"] 7
        ["o", "mate", "o", "late", "-"]
        ["added to friends", "added to pals", "added to secrets"]

        """

    /// The first two in the gate.
    private static let builds = [
        ["-Onone"], ["-O", "-wmo"], ["-O"], ["-Onone", "-wmo"], ["-O", "-wmo", "-enable-testing"],
    ]

    @Test(arguments: builds.prefix(rounds(2, long: builds.count)))
    func everyUseFindsItsAccessor(options: [String]) throws {
        let scratch = try ScratchSources(["Hero.swift": Self.program, "Main.swift": Self.main])
        let managed = ManagedSources(try scratch.scan(), places: ClassPlaces(moduleName: "App"))
        expect(managed.problems, equals: [])
        for (name, text) in ["Managed.swift": managed.text, "Library.swift": Self.library] {
            try Data(text.utf8).write(to: scratch.folder.appending(path: name))
        }
        _ = try scratch.run([
            "swiftc", "-emit-module", "-emit-library", "-module-name", "CoreData", "-parse-as-library",
            "Library.swift",
            "-o", "libCoreData.so",
        ])
        let complaints = try scratch.run(
            [
                "swiftc", "-swift-version", "6", "-parse-as-library", "-module-name", "App", "-package-name",
                "p",
            ]
                + ["-warnings-as-errors", "-I", ".", "-L", ".", "-lCoreData", "-Xlinker", "-rpath=."]
                + options
                + ["Hero.swift", "Main.swift", "Managed.swift", "-o", "program"])
        expect(complaints, equals: "")
        try expect(scratch.run(["./program"]), equals: Self.expected)
    }
}
