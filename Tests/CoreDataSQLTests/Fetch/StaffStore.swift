// The store of the tests of fetches: a small model with every kind of property.

import CoreDataPredicate
import CoreDataSQL
import CoreDataSchema
import CoreDataSupport
import Foundation

/// An object that stands for a row, as managed objects do for the planner.
final class RowToken {
    let key: ObjectKey?

    init(_ key: ObjectKey?) {
        self.key = key
    }
}

enum Staff {
    static let index: ModelIndex = {
        var photo = attribute("photo", .binaryData)
        photo.kind = .attribute(
            {
                var traits = AttributeTraits(.binaryData)
                traits.allowsExternalBinaryDataStorage = true
                return traits
            }())
        var nick = attribute("nick", .string)
        nick.isTransient = true
        return model(
            entity(
                "Company", attribute("name", .string), attribute("founded", .date),
                toMany("departments", "Department", inverse: "company", ordered: true)),
            entity(
                "Department", attribute("name", .string), toOne("company", "Company", inverse: "departments"),
                toMany("staff", "Employee", inverse: "department")),
            entity(
                "Person", attribute("name", .string), attribute("surname", .string),
                attribute("age", .integer16), attribute("height", .double), attribute("balance", .decimal),
                attribute("isActive", .boolean), attribute("birthday", .date), attribute("token", .uuid),
                attribute("homepage", .uri), attribute("color", .transformable), photo, nick,
                toOne("boss", "Person", inverse: "reports"), toMany("reports", "Person", inverse: "boss"),
                toMany("friends", "Person", inverse: "friendOf"),
                toMany("friendOf", "Person", inverse: "friends"), toMany("tags", "Tag", inverse: "persons")),
            entity(
                "Employee", parent: "Person", attribute("salary", .integer32),
                toOne("department", "Department", inverse: "staff")),
            entity("Tag", attribute("name", .string), toMany("persons", "Person", inverse: "tags")))
    }()

    static func layout() throws -> StoreLayout { try LayoutBuilder.layout(for: index) }

    static func planner(
        form: StoreForm = .apple,
        fetch: @escaping (ExpressionTree) throws -> FetchDescription = { _ in
            throw TranslationFailure("no nested fetch here")
        }
    ) throws -> FetchPlanner {
        FetchPlanner(
            index: index, layout: try LayoutBuilder.layout(for: index, form: form),
            key: { ($0.object as? RowToken)?.key },
            transform: { _, value in
                guard case .string(let text) = value else {
                    throw TranslationFailure("only texts are colours")
                }
                return .data(Data(text.utf8))
            },
            fetch: fetch)
    }

    static func statement(
        of entity: String = "Person", _ predicate: PredicateTree?, result: FetchDescription.Result = .keys,
        _ change: (inout FetchDescription) -> Void = { _ in }
    ) throws -> SQLStatement {
        var description = FetchDescription(entityName: entity, result: result)
        description.predicate = predicate
        change(&description)
        return try planner().statement(for: description)
    }

    /// The condition that a predicate on persons becomes, without what stands before it.
    static func condition(_ predicate: PredicateTree) throws -> SQLStatement {
        var statement = try statement(predicate)
        let head = "SELECT t0.Z_ENT, t0.Z_PK FROM ZPERSON t0 WHERE "
        if statement.text.hasPrefix(head) { statement.text.removeFirst(head.count) }
        return statement
    }
}

extension Staff {
    /// An object for the row of an entity.
    static func token(_ entity: String, _ primaryKey: Int64) throws -> RowToken {
        let number = try layout()[entity]?.number
        return RowToken(number.map { ObjectKey(entity: $0, primaryKey: primaryKey) })
    }
}
