// Stores made anew from the models of Apple's: the same tables, columns, indexes, triggers, entities and metadata.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite(.enabled(if: SharedFiles.arePresent, Comment(rawValue: SharedFiles.absence)))
struct RemadeStoreTests {
    /// What differs in stores of old frameworks, and in one that a lightweight migration changed.
    private static let known: [String: [String]] = [
        "CoreDataPlus/SampleModel_V2": [
            """
            entities: 1 'Car' 0, 2 'SportCar' 1, 3 'ExpensiveSportCar' 2, 4 'Person' 0, \
            ours 1 'Car' 0, 2 'SportCar' 1, 3 'LuxuryCar' 2, 4 'Person' 0
            """
        ],
        // Framework 241 has another order of columns, and up to 526 no model is kept.
        "MagicalRecord/Recipes": [
            """
            ZRECIPE: another order: ["Z_PK", "Z_ENT", "Z_OPT", "ZIMAGE", "ZTYPE", "ZINSTRUCTIONS", "ZNAME", \
            "ZOVERVIEW", "ZPREPTIME", "ZTHUMBNAILIMAGE"]
            """, "Z_MODELCACHE: extra",
        ],
        "RestKit/RKSeedDatabase": ["Z_MODELCACHE: extra"],
    ]

    /// An empty store of the same model, with a history where the other has one.
    private func remade(_ store: AppleStore) throws -> URL {
        let url = store.folder.file("Remade.sqlite")
        let keepsHistory = AppleStore.keepsHistory(store.name)
        let opened = try OpenStore(
            url, store.model, options: [NSPersistentHistoryTrackingKey: NSNumber(value: keepsHistory)])
        try opened.close()
        return url
    }

    @Test(arguments: AppleStore.all)
    func aStoreOfTheSameModelHasTheSameLayout(name: String) throws {
        let store = try AppleStore(name)
        let differences = try PlainLayout(store.url).differences(of: PlainLayout(remade(store)))
        #expect(differences == Self.known[name] ?? [])
    }

    @Test func aDifferenceOfEachKindIsTold() throws {
        let store = try AppleStore("LoopKit/Model_V1")
        let url = try remade(store)
        let reference = try PlainLayout(url)
        let raw = try RawDatabase(url)
        let index = try #require(reference.parts.keys.sorted().first).split(separator: " ")[1]
        try raw.run("CREATE TABLE ZEXTRA (Z_PK INTEGER PRIMARY KEY); DROP INDEX \(index)")
        try raw.run(
            "ALTER TABLE ZRESERVOIR ADD ZMORE FLOAT; UPDATE Z_PRIMARYKEY SET Z_SUPER = 7 WHERE Z_ENT = 1")
        let list = try PropertyListSerialization.data(
            fromPropertyList: ["NSStoreType": "Other"], format: .binary, options: 0)
        let hex = list.map { String(format: "%02x", $0) }.joined()
        try raw.run("UPDATE Z_METADATA SET Z_PLIST = X'\(hex)'")
        let found = try reference.differences(of: PlainLayout(url))
        expect(found.prefix(2), equals: ["ZEXTRA: extra", "ZRESERVOIR: extra ZMORE FLOAT"])
        #expect(found.contains { $0.hasPrefix("index \(index): CREATE") && $0.hasSuffix("ours none") })
        #expect(found.contains { $0.hasPrefix("entities: ") })
        #expect(found.contains("version hash of CachedCarbObject"))
        expect(found.last, equals: "metadata NSStoreType")
    }

    // MARK: Join tables

    /// Writes down the join tables that a model has by the rule, from the model's public description alone.
    private struct JoinRule {
        let model: NSManagedObjectModel
        var numbers: [String: Int] = [:]
        var uses: [String: Int] = [:]
        var tables: [String: [String]] = [:]
        /// Pairs inside one entity, for which Apple's choice isn't known wholly.
        var unsettled = 0

        init(_ model: NSManagedObjectModel) {
            self.model = model
            for root in sorted(model.entities.filter { $0.superentity == nil }) { number(root) }
            var met: Set<ObjectIdentifier> = []
            var taken: Set<String> = []
            for entity in model.entities.sorted(by: { Self.precedes($0.name, $1.name) }) {
                for ancestor in chain(entity) where taken.insert(ancestor.name ?? "").inserted {
                    for side in sides(ancestor) where met.insert(ObjectIdentifier(side)).inserted {
                        guard let inverse = side.inverseRelationship else { continue }
                        met.insert(ObjectIdentifier(inverse))
                        add(side, inverse)
                    }
                }
            }
        }

        private static func precedes(_ one: String?, _ other: String?) -> Bool {
            (one ?? "").utf16.lexicographicallyPrecedes((other ?? "").utf16)
        }

        private func sorted(_ entities: [NSEntityDescription]) -> [NSEntityDescription] {
            entities.sorted { ($0.name ?? "").lowercased() < ($1.name ?? "").lowercased() }
        }

        private mutating func number(_ entity: NSEntityDescription) {
            numbers[entity.name ?? ""] = numbers.count + 1
            for child in sorted(entity.subentities) { number(child) }
        }

        private func chain(_ entity: NSEntityDescription) -> [NSEntityDescription] {
            (entity.superentity.map(chain) ?? []) + [entity]
        }

        /// The many-to-many relationships that an entity declares itself, by name.
        private func sides(_ entity: NSEntityDescription) -> [NSRelationshipDescription] {
            let inherited = Set(entity.superentity?.relationshipsByName.keys.map(\.self) ?? [])
            return entity.relationshipsByName.values.filter { side in
                !inherited.contains(side.name) && side.isToMany && side.isStored
                    && side.inverseRelationship?.isToMany == true
            }.sorted { Self.precedes($0.name, $1.name) }
        }

        private mutating func add(_ met: NSRelationshipDescription, _ other: NSRelationshipDescription) {
            let isInside = met.entity == other.entity && met != other
            if isInside { unsettled += 1 }
            let (owner, inverse) = isInside ? (other, met) : (met, other)
            let first = column(inverse)
            let second = met == other ? "REFLEXIVE" : column(owner)
            let table = "Z_\(numbers[owner.entity.name ?? ""] ?? 0)\(owner.name.uppercased())"
            let ordered = [(inverse, first), (owner, second)].filter { $0.0.isOrdered && $0.1 != "REFLEXIVE" }
            let orders = ordered.map { "Z_FOK_" + $0.1.dropFirst(2) }
            tables[table] = [first, second] + orders
        }

        private mutating func column(_ side: NSRelationshipDescription) -> String {
            let name = "Z_\(numbers[side.destinationEntity?.name ?? ""] ?? 0)\(side.name.uppercased())"
            defer { uses[name, default: 0] += 1 }
            return uses[name].map { "\(name)\($0)" } ?? name
        }
    }

    @Test func joinTablesOfAllModelsFollowTheRule() throws {
        let folder = try TemporaryFolder()
        var (tables, suffixes) = (0, 0)
        for (number, path) in SourceModelStoreTests.paths.enumerated() {
            let model = try NSManagedObjectModel.read(from: SharedFiles.url(path))
            let rule = JoinRule(model)
            if rule.tables.isEmpty { continue }
            let url = folder.file("\(number).sqlite")
            try OpenStore(url, model).close()
            let layout = try PlainLayout(url)
            let joins = layout.tables.filter { $0.value.contains { $0.keyPlace == 2 } }
            expect(joins.mapValues { $0.map(\.name) }, equals: rule.tables, "\(path)")
            for (table, columns) in rule.tables {
                let index = "\(table)(\(columns[1]),\(columns[0]))"
                expect(
                    layout.parts["index \(table)_\(columns[1])_INDEX"],
                    equals: "CREATE INDEX \(table)_\(columns[1])_INDEX ON \(index)", "\(path)")
            }
            tables += joins.count
            suffixes += rule.uses.values.count { $0 > 1 }
        }
        print("join tables of the shared models: \(tables), names with numbers behind them: \(suffixes)")
        #expect(tables > 20)
    }
}
