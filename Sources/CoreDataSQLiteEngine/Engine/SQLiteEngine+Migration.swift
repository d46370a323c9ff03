// Runs a migration's plan. The caller holds the transaction.

package import CoreDataSQL
import CoreDataSchema
import Foundation

extension SQLiteEngine {
    /// The first condition of the plan that rows don't meet.
    package func unmetCheck(of plan: MigrationPlan) throws -> MigrationPlan.Check? {
        try plan.checks.first { try rowCount($0.count) > 0 }
    }

    /// The first number of the plan that doesn't fit its attribute's newer type.
    package func misfit(
        of plan: MigrationPlan
    ) throws -> (fit: MigrationPlan.Fit, key: Int64, value: SQLBinding)? {
        try registerMigrationFunctions(plan)
        for fit in plan.fits {
            guard let row = try fetchValues(fit.firstMisfit).first, case .integer(let key)? = row.first,
                let value = row.last
            else { continue }
            return (fit, key, value)
        }
        return nil
    }

    /// Returns the number that a counting query gives; 0 if it gives none.
    package func rowCount(_ statement: SQLStatement) throws -> Int64 {
        try connection.firstInteger(statement.text, bindings: statement.bindings) ?? 0
    }

    /// Runs the steps, each of which is told before it begins. External files that nothing refers to any more go with the transaction's end.
    package func run(_ plan: MigrationPlan, progress: (_ step: Int, _ count: Int) -> Void = { _, _ in })
        throws
    {
        try registerMigrationFunctions(plan)
        for query in plan.droppedCells {
            for row in try fetchValues(query) {
                if case .blob(let cell)? = row.first { writer.drop(cell) }
            }
        }
        for (position, step) in plan.steps.enumerated() {
            progress(position, plan.steps.count)
            for statement in step.statements { try execute(statement) }
        }
    }

    private func registerMigrationFunctions(_ plan: MigrationPlan) throws {
        let files = files
        let moves = plan.historyMoves
        try connection.register(
            MigrationPlan.Function.unframed, argumentCount: 1,
            body: .scalar { arguments in
                guard case .blob(let cell)? = arguments.first else { return .null }
                switch cell.withUnsafeBytes({ ExternalCell($0) }) {
                case .inline: return .blob(cell.first == 1 ? Data(cell.dropFirst()) : cell)
                case .file(let name):
                    return .blob(try files.read(name))
                }
            })
        try connection.register(
            MigrationPlan.Function.converted, argumentCount: 3,
            body: .scalar { arguments in
                guard arguments.count == 3, case .integer(let source) = arguments[1],
                    case .integer(let destination) = arguments[2],
                    let conversion = NumericConversion(source: source, destination: destination)
                else { return .null }
                return conversion.converted(arguments[0])
            })
        try connection.register(
            MigrationPlan.Function.movedColumns, argumentCount: 2,
            body: .scalar { arguments in
                guard arguments.count == 2, case .blob(let columns) = arguments[1] else { return .null }
                guard case .integer(let entity) = arguments[0], let move = moves[entity] else {
                    return arguments[1]
                }
                return .blob(move.moved(columns))
            })
    }
}
