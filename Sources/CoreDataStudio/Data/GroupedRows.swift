// A query's rows in groups, by the values of a column, each with their number or another measure.

import CoreData
import CoreDataPredicate
import Foundation
import StoreTools

/// The measures of a group of rows.
struct GroupMeasure: Codable, Sendable {
    enum Function: String, Codable, Sendable {
        case count, sum, average, min, max
    }

    var function: Function
    /// The attribute that is measured; nil for the number of rows.
    var key: String?

    static let count = GroupMeasure(function: .count, key: nil)
}

/// The rows of one value.
///
/// Unchecked: values and object IDs, which nothing changes.
struct RowGroup: @unchecked Sendable {
    /// A value, an object's ID, or the date on which a day begins; nil where rows have none.
    var value: Any?
    /// The number of rows, or of those that have the attribute that is measured.
    var count: Int
    /// The measure; nil where no row has the attribute.
    var number: Double?
}

/// Groups of a query's rows, counted by the store.
///
/// Unchecked: made for one request, and used on its context's queue only.
struct GroupedRows: @unchecked Sendable {
    let query: GridQuery
    let column: GridColumn
    let measure: GroupMeasure
    /// The property that is measured.
    private let measured: NSAttributeDescription?

    /// - Throws: a problem of status 400 for a column that rows can't be grouped by or that can't be measured.
    init(_ query: GridQuery, by key: String, measure: GroupMeasure, grants: Grants) throws {
        self.query = query
        self.measure = measure
        column = try GridColumn(key, of: query.entity)
        if let hidden = column.hidden(grants) { try grants.require(.read, entity: hidden) }
        guard Self.canGroup(column) else {
            throw StudioProblem(status: 400, "Rows can't be grouped by “\(key.prefix(100))”.")
        }
        measured = try measure.key.map { key in
            guard let attribute = query.entity.attributesByName[key], Self.canMeasure(attribute) else {
                throw StudioProblem(status: 400, "“\(key.prefix(100))” is no number that can be measured.")
            }
            return attribute
        }
        if measure.function != .count, measured == nil {
            throw StudioProblem(status: 400, "The attribute to measure is missing.")
        }
    }

    /// Texts, numbers, dates and relationships to one object; not what is only ever different.
    static func canGroup(_ column: GridColumn) -> Bool {
        switch column.content {
        case .attribute(let attribute):
            attribute.isSortable
                && [.text, .choice, .boolean, .date, .number, .decimal].contains(attribute.kind)
        case .element: false
        case .toOne: true
        }
    }

    static func canMeasure(_ attribute: NSAttributeDescription) -> Bool {
        !attribute.isTransient
            && ([.number, .decimal].contains(attribute.kind)
                || attribute.kind == .choice && attribute.attributeType != .stringAttributeType)
    }

    var isOfDates: Bool {
        if case .attribute(let attribute) = column.content { return attribute.kind == .date }
        return false
    }

    /// The entity of a relationship's objects.
    var destination: NSEntityDescription? {
        if case .toOne(let relationship) = column.content { return relationship.destinationEntity }
        return nil
    }

    private static let day = 86400.0

    /// Reads the groups, at most so many, in no order.
    func groups(limit: Int, in context: NSManagedObjectContext) throws -> [RowGroup] {
        let rows: [NSDictionary]
        do {
            rows = try context.fetch(request(limit))
        } catch let error as CocoaError where error.code == .userCancelled {
            throw error
        } catch {
            throw StudioProblem(status: 422, readable(error))
        }
        return rows.map { row in
            var value = row[groupName]
            if value is NSNull { value = nil }
            if isOfDates, let day = value as? NSNumber {
                value = Date(timeIntervalSinceReferenceDate: day.doubleValue * Self.day)
            }
            let count = (row["studioCount"] as? NSNumber)?.intValue ?? 0
            let number = (row["studioNumber"] as? NSNumber)?.doubleValue
            return RowGroup(value: value, count: count, number: measure.function == .count ? nil : number)
        }
    }

    private func request(_ limit: Int) throws -> NSFetchRequest<NSDictionary> {
        let rows = query.request()
        let request = NSFetchRequest<NSDictionary>()
        request.entity = rows.entity
        request.predicate = rows.predicate
        request.resultType = .dictionaryResultType
        request.fetchLimit = limit
        request.includesPendingChanges = false
        var wanted: [Any] = [group, count]
        if let number { wanted.append(number) }
        request.propertiesToFetch = wanted
        request.propertiesToGroupBy = [group]
        return request
    }

    private var groupName: String { isOfDates ? "studioGroup" : column.key }

    private var group: Any {
        guard isOfDates else { return column.key }
        let days = NSExpressionDescription()
        days.name = groupName
        days.expression = Self.dayNumber(NSExpression(forKeyPath: column.key))
        days.expressionResultType = .doubleAttributeType
        return days
    }

    /// The number of days since the beginning of 2001, in UTC.
    private static func dayNumber(_ path: NSExpression) -> NSExpression {
        let seconds = NSExpression(
            forFunction: "castObject:toType:", arguments: [path, NSExpression(forConstantValue: "NSNumber")])
        let days = NSExpression(
            forFunction: "divide:by:", arguments: [seconds, NSExpression(forConstantValue: day)])
        return NSExpression(forFunction: "floor:", arguments: [days])
    }

    private var count: NSExpressionDescription {
        let counted =
            measured.map { NSExpression(forKeyPath: $0.name) } ?? NSExpression.expressionForEvaluatedObject()
        return Self.function("count:", argument: counted, title: "studioCount", type: .integer64AttributeType)
    }

    /// A sum is fetched for an average as well: groups of days become groups of months.
    private var number: NSExpressionDescription? {
        guard let measured else { return nil }
        let path = NSExpression(forKeyPath: measured.name)
        switch measure.function {
        case .count: return nil
        case .sum, .average:
            return Self.function("sum:", argument: path, title: "studioNumber", type: .doubleAttributeType)
        case .min:
            return Self.function("min:", argument: path, title: "studioNumber", type: .doubleAttributeType)
        case .max:
            return Self.function("max:", argument: path, title: "studioNumber", type: .doubleAttributeType)
        }
    }

    private static func function(
        _ name: String, argument: NSExpression, title: String, type: NSAttributeType
    ) -> NSExpressionDescription {
        let description = NSExpressionDescription()
        description.name = title
        description.expression = NSExpression(forFunction: name, arguments: [argument])
        description.expressionResultType = type
        return description
    }

    /// Reads groups in a context of its own, so that rows are read beside them.
    func read(
        limit: Int, _ turn: ReadTurns.Turn, from coordinator: NSPersistentStoreCoordinator
    ) async throws -> [RowGroup] {
        let scratch = NSManagedObjectContext(.privateQueue)
        scratch.persistentStoreCoordinator = coordinator
        return try await scratch.perform {
            try turn.reading(scratch) { try groups(limit: limit, in: scratch) }
        }
    }
}
