// Functions for fetch request templates.

import CoreDataGenerator
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct TemplateTests {
    private static func model(_ templates: String) throws -> ModelText {
        try ModelText(
            """
            <entity name="Tool" representedClassName="Tool" codeGenerationType="class">
                <attribute name="name" optional="YES" attributeType="String"/>
                <attribute name="weight" attributeType="Double" usesScalarValueType="YES"/>
                <relationship name="owner" optional="YES" maxCount="1" deletionRule="Nullify" \
            destinationEntity="Tool"/>
            </entity>
            \(templates)
            """)
    }

    @Test func variablesBecomeTypedParameters() throws {
        let text = try Self.model(
            """
            <fetchRequest name="getByWeight" entity="Tool" fetchLimit="5" predicateString="weight == $WEIGHT AND \
            owner.name BEGINSWITH[c] $OWNER_NAME AND owner == $OWNER AND name IN $NAMES"/>
            """
        ).text()
        #expect(
            text.contains(
                "@nonobjc public class func getByWeight(names: Any, owner: Tool, ownerName: String, weight: Double) "
                    + "-> NSFetchRequest<Tool> {"))
        #expect(text.contains("NSFetchRequest<Tool>(entityName: \"Tool\")"))
        #expect(text.contains("request.predicate = NSPredicate(format: \"weight == $WEIGHT AND "))
        #expect(
            text.contains(
                ".withSubstitutionVariables([\"NAMES\": names, \"OWNER\": owner, \"OWNER_NAME\": ownerName, "
                    + "\"WEIGHT\": weight])"))
        #expect(text.contains("request.fetchLimit = 5"))
    }

    @Test func templatesWithoutVariables() throws {
        let text = try Self.model(
            "<fetchRequest name=\"Heavy tools\" entity=\"Tool\" predicateString=\"weight &gt; 5\"/>"
                + "<fetchRequest name=\"All\" entity=\"Tool\"/>"
        ).text()
        #expect(text.contains("class func heavyTools() -> NSFetchRequest<Tool> {"))
        #expect(text.contains("request.predicate = NSPredicate(format: \"weight > 5\")\n"))
        #expect(text.contains("/// The fetch request template Heavy tools."))
        #expect(text.contains("class func all() -> NSFetchRequest<Tool> {"))
    }

    @Test func otherResultTypes() throws {
        let text = try Self.model(
            "<fetchRequest name=\"count\" entity=\"Tool\" resultType=\"4\"/>"
                + "<fetchRequest name=\"ids\" entity=\"Tool\" resultType=\"1\" includeSubentities=\"NO\"/>"
        ).text()
        #expect(text.contains("class func count() -> NSFetchRequest<NSNumber> {"))
        #expect(text.contains("request.resultType = .countResultType"))
        #expect(text.contains("class func ids() -> NSFetchRequest<NSManagedObjectID> {"))
    }

    @Test func twoTemplatesWithOneNameGetOneFunction() throws {
        let generation = try Self.model(
            "<fetchRequest name=\"all tools\" entity=\"Tool\"/><fetchRequest name=\"allTools\" entity=\"Tool\"/>"
        ).generation()
        expect(generation.warnings.map(\.entity), equals: ["Tool"])
        expect(generation.warnings.first?.severity, equals: .warning)
    }
}
