// The translation of an expression: the sides of a comparison, the arguments of a function.

import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport

/// A translated expression.
enum Operand {
    /// A value that is known; how it is bound depends on what it meets.
    case constant(Value)
    case scalar(Scalar)
    /// A row: the fetched object, the target of a to-one relationship, a variable of a SUBQUERY.
    case object(RowOperand)
    /// Rows or values of a subselect: a to-many key path, a SUBQUERY, a nested fetch.
    case collection(CollectionOperand)
    /// `{a, b, c}`
    case list([Operand])
}

/// A row that an expression stands for. Its table is joined only when one of its columns is read.
struct RowOperand {
    /// The SELECT whose FROM clause the row belongs to.
    var scope: QueryScope
    /// The row's primary key as SQL: `t0.Z_PK` or, unjoined, a foreign key.
    var key: SQLFragment
    /// The declared entity.
    var entity: String
    /// SQL for the row's Z_ENT where it can differ from the declared entity's and is at hand without a join.
    var entityNumber: SQLFragment?
    /// The alias of the row's table, if it is in the FROM clause already.
    var alias: String?
    /// The key path in words, for failures.
    var name: String
}

/// Many rows or values, in the scope of a subselect of their own.
struct CollectionOperand {
    enum Element {
        case row(RowOperand)
        case scalar(Scalar)
    }

    var scope: QueryScope
    var element: Element
    var name: String
    /// SQL that orders the elements, for indexes into an ordered relationship.
    var order: SQLFragment?
    /// The first key of a to-many path joined to the outer row: with it the condition can also be written as
    /// `outerKey IN (SELECT innerKey …)`, which lets the database start at the inner side.
    var link: Link?

    struct Link {
        var outerKey: SQLFragment
        var innerKey: SQLFragment
    }
}

extension Operand {
    /// The operand's value, if it reads no row.
    var value: Value? {
        switch self {
        case .constant(let value): return value
        case .list(let items):
            var values: [Value] = []
            for item in items {
                guard let value = item.value else { return nil }
                values.append(value)
            }
            return .array(values)
        case .scalar, .object, .collection: return nil
        }
    }

    /// Indicates that the operand reads no row.
    var isKnown: Bool { value != nil }
}
