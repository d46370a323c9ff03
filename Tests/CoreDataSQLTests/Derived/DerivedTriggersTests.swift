import CoreDataPredicate
import CoreDataSQL
import CoreDataSchema
import CoreDataSupport
import CoreDataTestSupport
import Testing

@Suite struct DerivedTriggersTests {
    private func index(_ derivation: DerivationSchema) -> ModelIndex {
        var total = attribute("total", .integer64)
        if case .attribute(var traits) = total.kind {
            traits.derivation = derivation
            total.kind = .attribute(traits)
        }
        return model(
            entity("Bill", attribute("name", .string), total, toMany("items", "Item", inverse: "bill")),
            entity("Item", attribute("price", .integer64), toOne("bill", "Bill", inverse: "items")))
    }

    private func triggers(_ derivation: DerivationSchema) throws -> [DerivedTrigger] {
        let index = index(derivation)
        return try DerivedTriggers(index, layout: LayoutBuilder.layout(for: index)).triggers
    }

    /// The rows that a filter leaves out don't count, whatever of a row changes.
    @Test func filtersAreInTheStatements() throws {
        let filter = PredicateTree.comparison(
            .init(.keyPath("price"), op: .greaterThan, right: .constant(.integer(10))))
        let triggers = try triggers(
            DerivationSchema(expression: .keyPath("items.@sum.price"), filter: filter))
        expect(
            triggers.map(\.name),
            equals: [
                "Z_DA_ZITEM_Bill_total_PARAMETER_INSERT", "Z_DA_ZITEM_Bill_total_PARAMETER_UPDATE",
                "Z_DA_ZITEM_Bill_total_PARAMETER_DELETE", "Z_DA_ZBILL_Bill_total_SOURCE_INSERT",
            ])
        #expect(triggers.allSatisfy { $0.isPortable && $0.statement().contains("ZPRICE > 10") })
        #expect(triggers[1].statement().contains("AFTER UPDATE ON ZITEM"))
    }

    @Test func recomputationsAreOfTheChosenAttributes() throws {
        let index = index(DerivationSchema(expression: .keyPath("items.@count")))
        let derived = try DerivedTriggers(index, layout: LayoutBuilder.layout(for: index))
        let text =
            "UPDATE ZBILL SET ZTOTAL = (SELECT COUNT(*) FROM ZITEM AS m WHERE m.ZBILL = ZBILL.Z_PK) WHERE 1"
        let statements = derived.recomputations(of: { $0 == "Bill" && $1 == "total" }, isStale: false)
        expect(statements.map(\.text), equals: [text])
        #expect(derived.recomputations(of: { _, name in name == "name" }, isStale: false).isEmpty)
        expect(derived.recomputations(of: { _, _ in false }, isStale: true).map(\.text), equals: [text])
    }

    @Test func anAttributeWithATriggerInTheFileIsLeftToIt() throws {
        let index = index(DerivationSchema(expression: .keyPath("items.@count")))
        let derived = try DerivedTriggers(index, layout: LayoutBuilder.layout(for: index))
        expect(derived.missing(from: []).count, equals: 5)
        #expect(derived.missing(from: ["Z_DA_ZITEM_Bill_total_OTHER"]).isEmpty)
        expect(derived.missing(from: ["Z_DA_ZITEM_Bill_totals_OTHER"]).count, equals: 5)
    }

    @Test func functionsOfOursAreNotPortable() throws {
        let triggers = try triggers(
            DerivationSchema(
                expression: .function(operand: nil, name: "canonical:", arguments: [.keyPath("name")])))
        expect(triggers.map(\.isPortable), equals: [false, false])
        #expect(
            triggers[0].statement(isTemporary: true).hasPrefix("CREATE TEMP TRIGGER Z_DA_ZBILL_Bill_total"))
    }
}
