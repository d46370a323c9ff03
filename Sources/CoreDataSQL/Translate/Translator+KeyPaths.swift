// Key paths: to-one steps become joins, to-many steps subselects, collection operators aggregates.

import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport

extension Translator {
    /// Follows a key path from an operand.
    func follow(
        _ path: String, from start: Operand, environment: Environment
    ) throws(TranslationFailure) -> Operand {
        var steps = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)[...]
        var operand = start
        while let step = steps.popFirst() {
            if step.hasPrefix("@") {
                return try apply(operator: step, rest: steps, to: operand, path: path, environment)
            }
            switch operand {
            case .object(let row):
                operand = try self.step(step, rest: &steps, from: row, in: nil)
            case .collection(let collection):
                switch collection.element {
                case .row(let row):
                    operand = try self.step(step, rest: &steps, from: row, in: collection)
                case .scalar(let scalar):
                    operand = wrap(.scalar(try property(step, of: scalar, path: path)), in: collection)
                }
            case .scalar(let scalar):
                operand = .scalar(try property(step, of: scalar, path: path))
            case .constant(let value):
                let rest = ([step] + steps).joined(separator: ".")
                return .constant(try evaluate(.keyPath(.constant(value), rest)))
            case .list:
                throw TranslationFailure("\"\(path)\" of a list has no SQL form")
            }
        }
        return operand
    }

    /// One key of a path. `rest` loses what a composite attribute takes with it.
    private func step(
        _ key: String, rest: inout ArraySlice<String>, from row: RowOperand,
        in collection: CollectionOperand?
    ) throws(TranslationFailure) -> Operand {
        let name = row.name == "SELF" ? key : row.name + "." + key
        guard let property = context.index.entity(row.entity)?.propertiesByName[key] else {
            return wrap(try standing(key, of: row, name: name), in: collection)
        }
        guard let place = try table(of: row.entity).columns[key] else {
            let kind = property.isTransient ? "a transient property" : "a fetched property"
            throw TranslationFailure("\"\(name)\" of entity \(row.entity) is \(kind): it has no column")
        }
        switch place {
        case .attribute(let column, let type):
            let scalar = try scalar(column, type: type, property: property, row: row, name: name)
            return wrap(.scalar(scalar), in: collection)
        case .composite(let elements):
            let path = rest.joined(separator: ".")
            rest = []
            let element = try element(path, elements: elements, property: property, row: row, name: name)
            return wrap(.scalar(element), in: collection)
        case .toOne(let column, let entityColumn, _, let destination):
            let alias = try alias(of: row)
            let target = RowOperand(
                scope: row.scope, key: self.column(column, alias: alias), entity: destination,
                entityNumber: entityColumn.map { self.column($0, alias: alias) }, alias: nil, name: name)
            return wrap(.row(target), in: collection)
        case .toMany(let table, let column, _, let order, let destination):
            let many = ManyStep(
                table: table, sourceColumn: column, order: order, destination: destination, name: name)
            return .collection(try open(many, from: row, in: collection))
        case .join(let join):
            let many = ManyStep(
                table: join.table, sourceColumn: join.sourceColumn,
                destinationColumn: join.destinationColumn, order: join.orderColumn,
                destination: join.destination, name: name)
            return .collection(try open(many, from: row, in: collection))
        }
    }

    /// Translates a key that every row has besides its properties.
    private func standing(
        _ key: String, of row: RowOperand, name: String
    ) throws(TranslationFailure) -> CollectionOperand.Element {
        switch key {
        case "self", "SELF", "objectID": return .row(row)
        case "entity":
            let number: SQLFragment
            if let known = row.entityNumber {
                number = known
            } else {
                number = column(try table(of: row.entity).head.entity, alias: try alias(of: row))
            }
            return .scalar(Scalar(sql: number, kind: .entity, name: name, columns: [number]))
        default: throw TranslationFailure("keypath \(name) not found in entity \(row.entity)")
        }
    }

    private func wrap(_ element: CollectionOperand.Element, in collection: CollectionOperand?) -> Operand {
        if var collection {
            collection.element = element
            switch element {
            case .row(let row): collection.name = row.name
            case .scalar(let scalar): collection.name = scalar.name
            }
            return .collection(collection)
        }
        switch element {
        case .row(let row): return .object(row)
        case .scalar(let scalar): return .scalar(scalar)
        }
    }

    private func scalar(
        _ column: String, type: AttributeType, property: PropertySchema, row: RowOperand, name: String
    ) throws(TranslationFailure) -> Scalar {
        let isExternal =
            dialect.keepsFiles && property.attribute?.allowsExternalBinaryDataStorage ?? false
        guard let kind = ValueKind(type, isExternal: isExternal) else {
            throw TranslationFailure("\"\(name)\" has a type that no SQL value has")
        }
        let sql = self.column(column, alias: try alias(of: row))
        return Scalar(sql: sql, kind: kind, name: name, property: property, columns: [sql])
    }

    private func element(
        _ path: String, elements: [String: PropertyColumn], property: PropertySchema, row: RowOperand,
        name: String
    ) throws(TranslationFailure) -> Scalar {
        guard case .attribute(let column, let type)? = elements[path] else {
            let below = elements.keys.filter { path.isEmpty || $0.hasPrefix(path + ".") }.sorted()
            let columns = below.compactMap { elements[$0]?.singleColumn }
            if columns.isEmpty {
                throw TranslationFailure("keypath \(name).\(path) not found in entity \(row.entity)")
            }
            return try whole(columns, row: row, name: path.isEmpty ? name : name + "." + path)
        }
        var schema = property
        for key in path.split(separator: ".") {
            guard let next = schema.attribute?.elements.first(where: { $0.name == key }) else { break }
            schema = next
        }
        return try scalar(column, type: type, property: schema, row: row, name: name + "." + path)
    }

    /// A composite attribute as a whole: NULL if all of its elements are.
    private func whole(
        _ columns: [String], row: RowOperand, name: String
    ) throws(TranslationFailure) -> Scalar {
        let alias = try alias(of: row)
        let parts = columns.map { column -> SQLFragment in "\(self.column(column, alias: alias)) IS NOT NULL"
        }
        return Scalar(
            sql: "NULLIF(\(parts.joined(separator: " OR ")), \(dialect.falsehood))", kind: .composite,
            name: name)
    }

    /// The few keys that a value itself answers.
    private func property(
        _ key: String, of scalar: Scalar, path: String
    ) throws(TranslationFailure) -> Scalar {
        let sql = scalar.sql
        let result: (SQLFragment, ValueKind)
        switch (key, scalar.kind) {
        case ("self", _): return scalar
        case ("length", .text): result = (try dialect.call(.length, arguments: [sql]), .integer)
        case ("uppercaseString", .text): result = (try dialect.call(.uppercase, arguments: [sql]), .text)
        case ("lowercaseString", .text): result = (try dialect.call(.lowercase, arguments: [sql]), .text)
        case ("stringValue", .integer): result = (dialect.cast(sql, to: .text), .text)
        case ("absoluteString", .url): result = (sql, .text)
        case ("timeIntervalSinceReferenceDate", .date): result = (number(scalar), .real)
        case ("timeIntervalSince1970", .date): result = ("(\(number(scalar)) + 978307200)", .real)
        case ("intValue", let kind), ("integerValue", let kind), ("longLongValue", let kind):
            guard kind.isNumeric || kind == .text else { throw goesOn(path) }
            result = (try dialect.call(.integer, arguments: [number(scalar)]), .integer)
        case ("doubleValue", let kind), ("floatValue", let kind):
            guard kind.isNumeric || kind == .text else { throw goesOn(path) }
            guard kind == .text else {
                result = (dialect.cast(number(scalar), to: .real), .real)
                break
            }
            result = (try dialect.call(.leadingNumber, arguments: [sql]), .real)
        default: throw goesOn(path)
        }
        try requireStatement(path)
        return scalar.deriving(result.0, kind: result.1, name: path)
    }

    private func goesOn(_ path: String) -> TranslationFailure {
        TranslationFailure("\"\(path)\" goes on after an attribute")
    }
}

/// A to-many key as tables and columns.
struct ManyStep {
    var table: String
    /// Holds the key of the row that has the relationship.
    var sourceColumn: String
    /// Holds the key of the related row in a join table; nil if the table is the related rows' own.
    var destinationColumn: String?
    var order: String?
    var destination: String
    var name: String
}

extension Translator {
    /// FROM table tN, tied to the row by tN.source = key; inside a collection a further JOIN.
    private func open(
        _ step: ManyStep, from row: RowOperand, in collection: CollectionOperand?
    ) throws(TranslationFailure) -> CollectionOperand {
        try requireStatement(step.name)
        let alias: String
        let scope: QueryScope
        if let collection {
            scope = collection.scope
            alias = scope.expand(table: step.table, column: step.sourceColumn, key: row.key)
        } else {
            alias = aliases.make()
            scope = QueryScope(from: "\(name: step.table) \(alias: alias)", aliases: aliases)
        }
        let ownKey = try table(of: step.destination).head.key
        let target = RowOperand(
            scope: scope, key: column(step.destinationColumn ?? ownKey, alias: alias),
            entity: step.destination,
            entityNumber: nil, alias: step.destinationColumn == nil ? alias : nil, name: step.name)
        let link = CollectionOperand.Link(
            outerKey: row.key, innerKey: column(step.sourceColumn, alias: alias))
        return CollectionOperand(
            scope: scope, element: .row(target), name: step.name,
            order: step.order.map { column($0, alias: alias) }, link: collection.map(\.link) ?? link)
    }
}
