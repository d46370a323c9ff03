// Declarations that a scan finds, with types cut out of the sources.

import CoreDataGenerator
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct SourceScanTests {
    @Test func propertiesHaveTypesAccessAndAccessors() throws {
        let scan = try ScratchSources(
            """
            import Foundation
            public import CoreData
            /* a /* nested */ comment */
            open class Hero: NSManagedObject, Identifiable {
                @NSManaged public var name: String?
                @NSManaged public private(set) var age /* years */ : Int64 // not "Int"
                @NSManaged var a, b: [String: Set<Hero>]?
                var calculated: Int { get throws { 3 } }
                var custom: (any Proto & Other)! { get { nil } set { } }
                lazy var cached = 3
                var closure: @Sendable (Int, [String]) async throws -> Void = { _, _ in }
                static var shared: Int { 3 }
                final var `default`: Swift.Optional<Int>
                @MainActor var shown: Int { 1 }
            }
            """
        ).scan()
        let file = try #require(scan.files.first)
        expect(file.imports.map(\.module), equals: ["Foundation", "CoreData"])
        expect(file.imports.map(\.access), equals: [nil, .public])
        let hero = try #require(file.types.first)
        #expect(hero.kind == .class && hero.access == .open && !hero.isFinal)
        expect(hero.inherited.map(\.spelling), equals: ["NSManagedObject", "Identifiable"])
        let properties = hero.members.properties
        expect(
            properties.map { "\($0.name): \($0.type?.spelling ?? "-")" },
            equals: [
                "name: String?", "age: Int64", "a: [String: Set<Hero>]?", "b: [String: Set<Hero>]?",
                "calculated: Int", "custom: (any Proto & Other)!", "cached: -",
                "closure: @Sendable (Int, [String]) async throws -> Void", "shared: Int",
                "default: Swift.Optional<Int>", "shown: Int",
            ])
        expect(properties.filter(\.isManaged).map(\.name), equals: ["name", "age", "a", "b"])
        #expect(properties[0].access == .public && properties[0].setterAccess == .public)
        #expect(properties[1].access == .public && properties[1].setterAccess == .private)
        expect(properties[2].access, equals: .internal)
        #expect(properties[4].isComputed && properties[4].hasEffects && !properties[4].hasSetter)
        #expect(properties[5].hasGetter && properties[5].hasSetter && !properties[5].hasEffects)
        #expect(properties[8].isStatic && properties[9].isFinal)
        #expect(properties[10].isolation == .globalActor && properties[4].isolation == nil)
        expect(properties[1].place.line, equals: 6)
    }

    @Test func methodsHaveLabelsTypesAndEffects() throws {
        let scan = try ScratchSources(
            """
            class Hero {
                @NSManaged func addToFriends(_ value: Hero)
                func insert(_ values: [Hero] = [Hero(a: 1, b: [2, 3])], at index: Int, `in` list: Set<Int>...) -> Int? { 1 }
                func validateName(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
                func change(_ value: inout Any?) async throws(Failure) -> (Int, String) { (1, "") }
                static func make<Content>(from content: Content) where Content: Sendable {}
            }
            """
        ).scan()
        let methods = try #require(scan.files.first?.types.first?.members.methods)
        expect(methods.map(\.name), equals: ["addToFriends", "insert", "validateName", "change", "make"])
        #expect(methods[0].isManaged && methods[0].parameters.map(\.type.spelling) == ["Hero"])
        expect(methods[1].parameters.map(\.label), equals: ["", "at", "in"])
        expect(methods[1].parameters.map(\.type.spelling), equals: ["[Hero]", "Int", "Set<Int>"])
        #expect(methods[1].result?.spelling == "Int?" && !methods[1].isThrowing)
        expect(
            methods[2].parameters.map(\.type.spelling),
            equals: ["AutoreleasingUnsafeMutablePointer<AnyObject?>"])
        #expect(methods[2].isThrowing && !methods[2].isAsynchronous)
        expect(methods[3].parameters.map(\.type.spelling), equals: ["inout Any?"])
        #expect(methods[3].isThrowing && methods[3].isAsynchronous)
        expect(methods[3].result?.spelling, equals: "(Int, String)")
        #expect(methods[4].isStatic && methods[4].isGeneric)
    }

    @Test func typesNestAndExtensionsGiveTheirMembersTheirAccess() throws {
        let scan = try ScratchSources(
            """
            struct Outer { enum Inner { case a; class Deep: Base, @unchecked Sendable {} }
                typealias Friends = Set<Outer> }
            public extension Outer.Inner.Deep { @NSManaged var wide: Int }
            private extension Outer { var narrow: Int { 1 } }
            extension Array where Element == Int { var count2: Int { count } }
            protocol Proto<Part>: AnyObject { associatedtype Part }
            struct Box<Content>: Hashable where Content: Hashable {}
            """
        ).scan()
        let file = try #require(scan.files.first)
        expect(file.types.map(\.name), equals: ["Outer", "Proto", "Box"])
        expect(file.types.map(\.kind), equals: [.structure, .protocol, .structure])
        expect(file.types.map(\.isGeneric), equals: [false, false, true])
        let inner = try #require(file.types[0].members.types.first)
        expect(inner.members.types.first?.name, equals: "Deep")
        expect(inner.members.types.first?.inherited.map(\.spelling), equals: ["Base", "Sendable"])
        expect(file.types[0].members.typealiases.first?.type?.spelling, equals: "Set<Outer>")
        expect(file.extensions.map(\.extended.spelling), equals: ["Outer.Inner.Deep", "Outer", "Array"])
        expect(file.extensions[0].members.properties.first?.access, equals: .public)
        expect(file.extensions[1].members.properties.first?.access, equals: .fileprivate)
        expect(file.extensions.map(\.isConstrained), equals: [false, false, true])
    }

    @Test func inactiveCodeIsLeftOut() throws {
        let scratch = try ScratchSources(
            """
            #if canImport(ObjectiveC)
            class Apple {}
            #elseif FLAG
            class Flagged {}
            #else
            class Plain {}
            #endif
            class Hero {
                #if FLAG
                var flagged: Int { 1 }
                #else
                var plain: Int { 1 } // "#if" #endif
                let text = \"\"\"
                    #if \("#endif")
                    \"\"\"
                #endif
            }
            #if canImport(CoreData) && !canImport(Missing)
            extension Hero { var late: Int { 1 } }
            #if os(Windows)
            class Windows {}
            #elseif swift(>=5)
            class Swift5 {}
            #endif
            #else
            class Never {}
            #endif
            """)
        let plain = try #require(try scratch.scan().files.first)
        expect(plain.types.map(\.name), equals: ["Plain", "Hero", "Swift5"])
        expect(plain.types[1].members.properties.map(\.name), equals: ["plain", "text"])
        expect(plain.extensions.first?.members.properties.map(\.name), equals: ["late"])
        let flagged = try #require(try scratch.scan(conditions: ["FLAG"]).files.first)
        expect(flagged.types.map(\.name), equals: ["Flagged", "Hero", "Swift5"])
        expect(flagged.types[1].members.properties.map(\.name), equals: ["flagged"])
    }

    @Test func brokenSourcesGiveWhatCanBeReadOfThem() throws {
        let scan = try ScratchSources("class Hero { @NSManaged var a: Int; func foo( {").scan()
        expect(scan.files.first?.types.first?.members.properties.map(\.name), equals: ["a"])
    }

    @Test func bodiesDeclareNothingAndConfuseNobody() throws {
        let scan = try ScratchSources(
            """
            class Hero {
                class func make() -> Hero { class Local {}; return Hero() }
                typealias Handler = @Sendable (@escaping (Int) -> Void) -> [@Sendable () -> Int]
                func next() -> (@Sendable () -> Void)? { defer { done() }; return { "}" }() }
                let made: Int = { [1, 2].first { $0 > 1 } ?? 0 }()
                var age: Int { get { "{".count } set { print("\\(newValue)}") } }
                var name: String { if true { "}" } else { "{" } }
                subscript(index: Int) -> Int { index }
                init(block: () -> Void = { print("{") }) { block() }
                class Inner { var deep: Int { 1 } }
            }
            enum After { case one }
            """
        ).scan()
        let types = try #require(scan.files.first?.types)
        expect(types.map(\.name), equals: ["Hero", "After"])
        expect(types[0].members.types.map(\.name), equals: ["Inner"])
        expect(types[0].members.types[0].members.properties.map(\.name), equals: ["deep"])
        expect(types[0].members.properties.map(\.name), equals: ["made", "age", "name"])
        expect(types[0].members.properties.map(\.hasSetter), equals: [false, true, false])
        expect(types[0].members.properties.map(\.isComputed), equals: [false, true, true])
        expect(types[0].members.methods.map(\.name), equals: ["make", "next"])
        expect(types[0].members.methods.map(\.isStatic), equals: [true, false])
    }

    @Test func aMissingCompilerOrFileIsNamed() throws {
        let scratch = try ScratchSources("class Hero {}")
        #expect(throws: ScanProblem.self) {
            try SourceScan(files: scratch.files, moduleName: "App", swiftc: "/no/such/swiftc")
        }
        let missing = scratch.folder.appending(path: "Missing.swift")
        let problem = #expect(throws: ScanProblem.self) {
            try SourceScan(files: [missing], moduleName: "App")
        }
        expect(problem?.description.contains("Missing.swift"), equals: true)
    }
}
