// The request of a grid: an entity's rows, filtered, in an order, page by page.

import CoreData
import CoreDataPredicate
import CoreDataSupport
import StoreTools

/// A query, checked against the model and against what the person may see.
struct GridQuery {
    let entity: NSEntityDescription
    let columns: [GridColumn]
    let predicate: PredicateTree?
    private let sort: [NSSortDescriptor]
    /// The entities whose rows are left out.
    private let hidden: [NSEntityDescription]

    /// The fields that a page sends; all but the entity may be missing.
    struct Fields: Codable, Sendable {
        var entity: String
        var predicate: String?
        /// Texts typed into columns' filters, by column.
        var filters: [String: String]?
        /// `key`, or `-key` for descending order; several with commas between them.
        var sort: String?
        var columns: [String]?
        /// Values for the predicate's variables, as texts of the predicate language.
        var variables: [String: String]?
        /// Words to look for, and the columns that they are looked for in; without columns in the entity's texts.
        var search: String?
        var searched: [String]?
    }

    /// - Parameter action: what must be granted besides reading; rows of other entities are left out.
    init(
        _ fields: Fields, in workspace: DataWorkspace, grants: Grants, for action: StudioAction = .read
    ) throws {
        entity = try workspace.entity(fields.entity)
        let readable = grants.readable(entity, and: action)
        if readable.isEmpty { try grants.require(.read, entity: entity) }
        hidden = EntityPage.concrete(entity).filter { entity in !readable.contains { $0 === entity } }
        let entity = entity
        columns =
            try fields.columns.map { try $0.prefix(50).map { try GridColumn($0, of: entity) } }
            ?? GridColumn.standard(for: entity)
        var parts: [PredicateTree] = []
        for (key, text) in (fields.filters ?? [:]).sorted(by: { $0.key < $1.key }) {
            let column = try GridColumn(key, of: entity)
            if !text.isEmpty, let hidden = column.hidden(grants) { try grants.require(.read, entity: hidden) }
            if let part = try GridFilter.predicate(
                text, column: column, object: { try workspace.reference($0, grants: grants) })
            {
                parts.append(part)
            }
        }
        let search = try GridSearch.predicate(
            fields.search, in: fields.searched, of: entity, grants: grants)
        if let search { parts.append(search) }
        if let text = fields.predicate, !text.allSatisfy(\.isWhitespace) {
            let tree = try PredicateReading.tree(text, of: entity, grants: grants)
            parts.append(
                try PredicateReading.substitute(
                    fields.variables ?? [:], in: tree, of: entity, grants: grants
                ) { try workspace.named($0, grants: grants) })
        }
        predicate = parts.isEmpty ? nil : parts.count == 1 ? parts[0] : .and(parts)
        sort = try Self.order(fields.sort ?? entity.rules.sort, entity: entity) { column in
            guard let hidden = column.hidden(grants) else { return true }
            // The model's own order may name what not everybody sees.
            if fields.sort != nil { try grants.require(.read, entity: hidden) }
            return false
        }
    }

    /// The last key makes the order definite.
    private static func order(
        _ text: String?, entity: NSEntityDescription, where isShown: (GridColumn) throws -> Bool
    ) throws -> [NSSortDescriptor] {
        let last = NSSortDescriptor(key: "objectID", ascending: true)
        let keys = (text ?? "").split(separator: ",").prefix(8).map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        return try keys.compactMap { key in
            let descends = key.hasPrefix("-")
            let column = try GridColumn(descends ? String(key.dropFirst()) : key, of: entity)
            guard try isShown(column) else { return nil }
            return NSSortDescriptor(key: try column.sortPath(), ascending: !descends)
        } + [last]
    }

    /// A request for rows of the stores; unsaved changes don't move rows about.
    func request() -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>()
        request.entity = entity
        request.predicate = whole.map(NSPredicate.make)
        request.sortDescriptors = sort
        request.includesPendingChanges = false
        request.returnsObjectsAsFaults = false
        request.relationshipKeyPathsForPrefetching = columns.compactMap { column in
            if case .toOne = column.content { return column.key }
            return nil
        }
        return request
    }

    private var whole: PredicateTree? {
        if hidden.isEmpty { return predicate }
        let rest = hidden.map { entity -> PredicateTree in
            .comparison(.init(.keyPath("entity"), op: .notEqualTo, right: .constant(.object(.init(entity)))))
        }
        return .and((predicate.map { [$0] } ?? []) + rest)
    }
}

extension DataWorkspace {
    /// A page of rows.
    func rows(_ query: GridQuery, offset: Int, limit: Int, grants: Grants) throws -> StudioValue {
        let request = query.request()
        request.fetchOffset = offset
        request.fetchLimit = limit
        let objects = try fetching { try context.fetch(request) }
        var rows = objects.map { row($0, columns: query.columns, grants: grants) }
        if offset == 0 { rows = newRows(query, grants: grants) + rows }
        return [
            "columns": .list(query.columns.map(\.value)), "rows": .list(rows), "offset": .integer(offset),
            "isLast": .bool(objects.count < limit), "status": status,
        ]
    }

    /// Objects that aren't saved yet stand before all others.
    private func newRows(_ query: GridQuery, grants: Grants) -> [StudioValue] {
        let predicate = query.predicate.map(NSPredicate.make)
        let objects = context.insertedObjects.filter { object in
            object.entity.isKindOf(entity: query.entity) && !object.isDeleted
                && (predicate.map { (try? $0.matches(object)) == true } ?? true)
        }
        return objects.map { (names.name(of: $0), $0) }
            .sorted { $0.0.count == $1.0.count ? $0.0 > $1.0 : $0.0.count > $1.0.count }
            .prefix(100).map { row($0.1, columns: query.columns, grants: grants) }
    }

    func row(_ object: NSManagedObject, columns: [GridColumn], grants: Grants) -> StudioValue {
        let changed = object.hasChanges ? Set(object.changedValues().keys) : []
        let shown = ShownValue(limit: ShownValue.cell)
        let cells = columns.map { column -> StudioValue in
            switch column.content {
            case .attribute(let attribute): return shown.value(attribute, of: object)
            case .element(let attribute, let path):
                var value = object.value(forKey: path[0])
                for name in path.dropFirst() { value = (value as? [String: Any])?[name] }
                return shown.value(value, attribute: attribute)
            case .toOne(let relationship):
                return link(object.value(forKey: relationship.name) as? NSManagedObject, grants: grants)
            }
        }
        return [
            "id": .text(names.name(of: object)), "entity": .text(object.entity.name ?? ""),
            "state": .text(state(of: object)), "cells": .list(cells),
            "changed": .texts(changed.sorted()), "messages": .record(messages(of: object, among: changed)),
        ]
    }

    /// The problem of the values that were set: a new object isn't told what it lacks.
    private func messages(of object: NSManagedObject, among changed: Set<String>) -> [String: StudioValue] {
        if changed.isEmpty { return [:] }
        return messages(of: object).filter { changed.contains($0.key) }.mapValues { .text($0) }
    }

    func count(_ query: GridQuery) throws -> StudioValue {
        let request = query.request()
        request.sortDescriptors = nil
        return ["count": .integer(try fetching { try context.count(for: request) })]
    }

    /// A request that a store can't answer is the predicate's fault, and reported so.
    func fetching<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let problem as StudioProblem {
            throw problem
        } catch {
            throw StudioProblem(status: 422, readable(error))
        }
    }

    /// Returns the number of rows of each entity, those of its subentities included.
    func counts(_ grants: Grants) -> StudioValue {
        var counts: [String: StudioValue] = [:]
        for entity in model.entities where grants.has(.read, entity: entity) {
            let request = NSFetchRequest<NSManagedObject>()
            request.entity = entity
            request.includesPendingChanges = false
            if let count = try? context.count(for: request) { counts[entity.name ?? ""] = .integer(count) }
        }
        return .record(counts)
    }

    /// Objects that a relationship can lead to, by a part of their title.
    func choices(
        _ entity: NSEntityDescription, search: String, offset: Int, limit: Int, grants: Grants
    ) throws -> StudioValue {
        var fields = GridQuery.Fields(entity: entity.name ?? "")
        if let title = entity.titleKey, entity.attributesByName[title] != nil {
            fields.filters = search.isEmpty ? [:] : [title: search]
            fields.sort = entity.attributesByName[title]?.isSortable == true ? title : nil
        }
        let query = try GridQuery(fields, in: self, grants: grants)
        let request = query.request()
        request.fetchOffset = offset
        request.fetchLimit = limit
        let objects = try fetching { try context.fetch(request) }
        let fresh =
            offset > 0
            ? []
            : context.insertedObjects.filter { object in
                object.entity.isKindOf(entity: entity)
                    && (search.isEmpty || object.title.localizedCaseInsensitiveContains(search))
            }
        return [
            "objects": .list(
                fresh.map { link($0, grants: grants) } + objects.map { link($0, grants: grants) }),
            "isLast": .bool(objects.count < limit),
        ]
    }
}
