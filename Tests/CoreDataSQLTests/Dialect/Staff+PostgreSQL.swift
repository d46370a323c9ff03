// Statements over the staff model for PostgreSQL.

import CoreDataPredicate
import CoreDataSQL
import CoreDataSchema

extension Staff {
    static func postgreSQLPlanner() throws -> FetchPlanner {
        try planner(form: .postgreSQL)
    }

    static func postgreSQL(
        of entity: String = "Person", _ predicate: PredicateTree?, result: FetchDescription.Result = .keys,
        _ change: (inout FetchDescription) -> Void = { _ in }
    ) throws -> SQLStatement {
        var description = FetchDescription(entityName: entity, result: result)
        description.predicate = predicate
        change(&description)
        return try postgreSQLPlanner().statement(for: description)
    }
}
