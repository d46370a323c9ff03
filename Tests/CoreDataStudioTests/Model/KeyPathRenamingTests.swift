// Renamings that go along into predicates and expressions, read back from the saved file.

import CoreDataStudio
import CoreDataTestSupport
import Foundation
import Testing

struct KeyPathRenamingTests {
    private static let text = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="">
            <entity name="Being" representedClassName="NSManagedObject" isAbstract="YES" syncable="YES">
                <attribute name="name" optional="YES" attributeType="String"/>
                <attribute name="lair" optional="YES" attributeType="Composite" composite="Place"/>
            </entity>
            <entity name="Hero" representedClassName="NSManagedObject" parentEntity="Being" syncable="YES" coreSpotlightDisplayNameExpression="name">
                <attribute name="rank" optional="YES" attributeType="Integer 16" usesScalarValueType="YES"/>
                <attribute name="strong" optional="YES" attributeType="Integer 64" derived="YES" derivationExpression="powers.@count" filteringPredicate="title = 'x'" usesScalarValueType="YES"/>
                <relationship name="powers" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Power" inverseName="hero" inverseEntity="Power"/>
                <fetchedProperty name="peers" optional="YES">
                    <fetchRequest name="fetchedPropertyFetchRequest" entity="Hero" predicateString="rank = $FETCH_SOURCE.rank AND name != $FETCH_SOURCE.name"/>
                </fetchedProperty>
                <fetchIndex name="byName" partialIndexPredicate="rank &gt; 3">
                    <fetchIndexElement property="rank" type="Binary" order="ascending"/>
                </fetchIndex>
                <userInfo>
                    <entry key="studio.columns" value="name, lair.city,rank"/>
                    <entry key="studio.sort" value="-rank"/>
                    <entry key="note" value="rank"/>
                </userInfo>
            </entity>
            <entity name="Power" representedClassName="NSManagedObject" syncable="YES">
                <attribute name="title" optional="YES" attributeType="String"/>
                <attribute name="rank" optional="YES" attributeType="Integer 16" usesScalarValueType="YES"/>
                <relationship name="hero" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Hero" inverseName="powers" inverseEntity="Hero"/>
            </entity>
            <fetchRequest name="best" entity="Power" predicateString="hero.rank &gt; 5 &amp;&amp; rank &lt; 3 and hero.name ==[c] 'rank of hero.rank'"/>
            <fetchRequest name="armed" entity="Hero" predicateString="SUBQUERY(powers, $rank, $rank.rank &gt; 1 AND $rank.title != nil).@count &gt; 0"/>
            <fetchRequest name="near" entity="Being" predicateString="lair.city = $city AND rank &gt; 1"/>
            <composite name="Place">
                <attribute name="city" optional="YES" attributeType="String"/>
            </composite>
        </model>
        """

    private let folder: TemporaryFolder
    private let document: ModelDocument

    init() throws {
        folder = try TemporaryFolder()
        let url = folder.file("Heroes.xcdatamodel")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        try Data(Self.text.utf8).write(to: url.appendingPathComponent("contents"))
        document = try ModelDocument(contentsOf: url)
    }

    private func rename(_ owner: String, _ property: String, _ name: String) throws -> [ModelTouch] {
        let root = try #require(document.draft[version: "Heroes"])
        let parent = try #require(root.children.first { $0.title == owner && $0.name != "fetchRequest" })
        let node = try #require(parent.children.first { $0.title == property })
        let command = ModelCommand.rename(id: node.id, name: name, keepsIdentity: nil)
        let touches = ModelTouch.touches(
            from: root, to: try document.edited("Heroes", commands: [command]), except: node.id)
        try document.edit("Heroes", commands: [command])
        try document.save()
        return touches
    }

    private func saved() throws -> String {
        try String(contentsOf: document.url.appendingPathComponent("contents"), encoding: .utf8)
    }

    @Test
    func keyPathsAreSpelledAnewAndNothingElse() throws {
        let touches = try rename("Hero", "rank", "level")
        let text = try saved()
        #expect(
            text.contains(
                "predicateString=\"hero.level &gt; 5 &amp;&amp; rank &lt; 3 and hero.name ==[c] 'rank of hero.rank'\""
            ))
        #expect(
            text.contains("predicateString=\"level = $FETCH_SOURCE.level AND name != $FETCH_SOURCE.name\""))
        #expect(text.contains("partialIndexPredicate=\"level &gt; 3\""))
        #expect(text.contains("<fetchIndexElement property=\"level\""))
        #expect(text.contains("value=\"name, lair.city,level\""))
        #expect(text.contains("value=\"-level\""))
        #expect(text.contains("<entry key=\"note\" value=\"rank\"/>"))
        // Another entity's property of the same name, and a subquery's variable, stay.
        #expect(text.contains("SUBQUERY(powers, $rank, $rank.rank &gt; 1 AND $rank.title != nil)"))
        // A key path from an abstract parent may name a subentity's property.
        #expect(text.contains("predicateString=\"lair.city = $city AND level &gt; 1\""))
        #expect(touches.contains { $0.place == "best" && $0.field == "Predicate" })
        #expect(touches.contains { $0.place == "Hero.byName" && $0.after == "level" })
        expect(touches.count, equals: 7)
        #expect(
            ModelChecker.checks(of: try #require(document.draft[version: "Heroes"])).allSatisfy {
                $0.severity != .error
            })
    }

    @Test
    func aSubquerysVariableIsFollowed() throws {
        _ = try rename("Power", "rank", "level")
        let text = try saved()
        #expect(text.contains("SUBQUERY(powers, $rank, $rank.level &gt; 1 AND $rank.title != nil)"))
        #expect(text.contains("hero.rank &gt; 5 &amp;&amp; level &lt; 3"))
        _ = try rename("Hero", "powers", "skills")
        #expect(try saved().contains("derivationExpression=\"skills.@count\""))
        #expect(try saved().contains("SUBQUERY(skills, $rank,"))
        _ = try rename("Power", "title", "label")
        #expect(try saved().contains("filteringPredicate=\"label = 'x'\""))
    }

    @Test
    func compositesAndParentsAreFollowed() throws {
        _ = try rename("Place", "city", "town")
        #expect(try saved().contains("predicateString=\"lair.town = $city AND rank &gt; 1\""))
        #expect(try saved().contains("value=\"name, lair.town,rank\""))
        _ = try rename("Being", "name", "first")
        let text = try saved()
        // FIRST is a word of the language.
        #expect(text.contains("coreSpotlightDisplayNameExpression=\"first\"") || text.contains("\"#first\""))
        #expect(text.contains("hero.first ==[c]") || text.contains("hero.#first ==[c]"))
        #expect(
            ModelChecker.checks(of: try #require(document.draft[version: "Heroes"])).allSatisfy {
                $0.severity != .error
            })
    }

    @Test
    func aRenamingIsOneStepOfUndo() throws {
        let before = document.draft
        _ = try rename("Hero", "rank", "level")
        try document.undo()
        expect(document.draft, equals: before)
    }

    @Test
    func identityIsKeptWhereAnotherVersionKnowsTheName() throws {
        let model = try SmallModel()
        try model.document.addVersion("Heroes 2", basedOn: "Heroes")
        let root = try #require(model.document.draft[version: "Heroes 2"])
        let hero = try #require(root.children("entity").first { $0.title == "Hero" })
        let name = try #require(hero.properties.first { $0.title == "name" })
        expect(model.document.draft.version(knowing: name.id, of: "Heroes 2", root), equals: "Heroes")
        try model.document.edit(
            "Heroes 2",
            commands: [
                .rename(id: hero.id, name: "Champion", keepsIdentity: nil),
                .rename(id: name.id, name: "title", keepsIdentity: nil),
            ])
        let edited = try #require(model.document.draft[version: "Heroes 2"])
        let champion = try #require(edited.children("entity").first { $0.title == "Champion" })
        expect(champion["elementID"], equals: "Hero")
        expect(champion.properties.first { $0.title == "title" }?["elementID"], equals: "name")
    }
}
