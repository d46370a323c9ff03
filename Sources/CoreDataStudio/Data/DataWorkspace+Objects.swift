// Objects as the editor shows them.

import CoreData
import StoreTools

extension DataWorkspace {
    /// An object by name and title, as relationships lead to it.
    func link(_ object: NSManagedObject?, grants: Grants? = nil) -> StudioValue {
        guard let object else { return .null }
        if let grants, !grants.has(.read, entity: object.entity) {
            return ["$": "object", "hidden": true, "entity": .text(object.entity.name ?? "")]
        }
        return [
            "$": "object", "id": .text(names.name(of: object)), "title": .text(object.title),
            "entity": .text(object.entity.name ?? ""), "state": .text(state(of: object)),
        ]
    }

    func state(of object: NSManagedObject) -> String {
        if object.isDeleted { return "deleted" }
        if object.isInserted { return "new" }
        return object.hasPersistentChangedValues ? "changed" : "saved"
    }

    /// All that the editor shows of an object. To-many relationships that weren't read yet stay faults.
    func page(_ object: NSManagedObject, grants: Grants) throws -> StudioValue {
        try grants.require(.read, entity: object.entity)
        let messages = messages(of: object)
        let changed = object.isInserted ? [] : Set(object.changedValues().keys)
        var fields: [StudioValue] = []
        var relationships: [StudioValue] = []
        for property in object.entity.shownProperties {
            guard let shown = field(property, of: object, grants: grants) else { continue }
            let value = shown.with("isChanged", value: .bool(changed.contains(property.name)))
                .with("message", value: .optional(messages[property.name]))
            if property is NSAttributeDescription {
                fields.append(value)
                fields += calculated(from: property, of: object)
            } else {
                relationships.append(value)
            }
        }
        return [
            "id": .text(names.name(of: object)), "entity": .text(object.entity.name ?? ""),
            "title": .text(object.title), "state": .text(state(of: object)),
            "uri": .text(object.objectID.uriRepresentation().absoluteString),
            "message": .optional(messages[""]),
            "fields": .list(fields), "relationships": .list(relationships),
            "reports": EntityPage.value(object.entity)["reports"] ?? .null,
            "canUpdate": .bool(grants.has(object.isInserted ? .insert : .update, entity: object.entity)),
            "canDelete": .bool(grants.has(.delete, entity: object.entity)),
        ]
    }

    /// A property with its value; nil for a fetched one.
    private func field(
        _ property: NSPropertyDescription, of object: NSManagedObject, grants: Grants
    ) -> StudioValue? {
        switch property {
        case let attribute as NSAttributeDescription:
            let shown = ShownValue(limit: ShownValue.editor).value(attribute, of: object)
            let value = EntityPage.field(attribute).with("value", value: shown)
                .with("note", value: .optional(rounding(of: attribute, object)))
            return attribute.kind == .color
                ? value.with("canSet", value: .bool(Self.takesColor(attribute, object: object))) : value
        case let relationship as NSRelationshipDescription:
            return EntityPage.relationship(relationship)
                .with("value", value: self.value(relationship, of: object, grants: grants))
                .with("isReadable", value: .bool(grants.has(.read, entity: relationship.destinationEntity)))
                .with("canCreate", value: .bool(grants.has(.insert, entity: relationship.destinationEntity)))
        default: return nil
        }
    }

    /// The values that the object's class calculates from a property, as the model lists them. Where the class isn't here, as
    /// in `coredata studio`, they are left out.
    private func calculated(from property: NSPropertyDescription, of object: NSManagedObject) -> [StudioValue]
    {
        property.rules.calculated.compactMap { key, label in
            guard let value = try? object.value(checkingKeyPath: key) else { return nil }
            return [
                "key": .text(key), "label": .text(label), "kind": "other", "isOptional": true,
                "lock": "Calculated.", "section": .optional(property.rules.section), "help": .null,
                "value": ShownValue(limit: ShownValue.cell).value(value), "isChanged": false,
                "message": .null,
            ]
        }
    }

    /// The number that an SQLite file, which holds decimals as floating-point numbers, will keep of one with more digits.
    private func rounding(of attribute: NSAttributeDescription, _ object: NSManagedObject) -> String? {
        guard attribute.attributeType == .decimalAttributeType, hasSQL,
            let number = object.value(forKey: attribute.name) as? NSDecimalNumber
        else { return nil }
        let digits = "\(number.decimalValue)"
        guard let kept = Double(digits).flatMap({ Decimal(string: "\($0)") }), kept != number.decimalValue
        else {
            return nil
        }
        return "The file holds about 16 digits: it will keep \(kept)."
    }

    /// Returns whether a colour can be set: never over one that is stored in another form than it would be
    /// written in.
    private static func takesColor(_ attribute: NSAttributeDescription, object: NSManagedObject) -> Bool {
        if attribute.attributeType == .stringAttributeType { return true }
        if let data = object.storedData(forKey: attribute.name), data.first != UInt8(ascii: "[") {
            return false
        }
        let black: StudioValue = [
            "red": .double(0), "green": .double(0), "blue": .double(0), "alpha": .double(1),
        ]
        return StudioColor(black)?.object(for: attribute) != nil
    }

    private func value(
        _ relationship: NSRelationshipDescription, of object: NSManagedObject, grants: Grants
    ) -> StudioValue {
        if !relationship.isToMany {
            return link(object.value(forKey: relationship.name) as? NSManagedObject, grants: grants)
        }
        if object.hasFault(forRelationshipNamed: relationship.name) {
            return ["$": "fault", "count": unreadCount(of: object, relationship)]
        }
        return ["$": "members", "count": .integer(members(of: object, relationship).count)]
    }

    /// The number of objects that a relationship leads to that wasn't read, counted by the store; null where that can't be asked.
    private func unreadCount(
        of object: NSManagedObject, _ relationship: NSRelationshipDescription
    ) -> StudioValue {
        guard let inverse = relationship.inverseRelationship, let destination = relationship.destinationEntity
        else { return .null }
        let request = NSFetchRequest<NSManagedObject>()
        request.entity = destination
        request.predicate = NSPredicate(
            format: inverse.isToMany ? "ANY %K == %@" : "%K == %@", inverse.name, object)
        return (try? context.count(for: request)).map { .integer($0) } ?? .null
    }

    /// In the relationship's order, else in that which the model names, else by title.
    func members(of object: NSManagedObject, _ relationship: NSRelationshipDescription) -> [NSManagedObject] {
        switch object.value(forKey: relationship.name) {
        case let set as NSOrderedSet: return set.array.compactMap { $0 as? NSManagedObject }
        case let set as NSSet:
            return sorted(set.allObjects.compactMap { $0 as? NSManagedObject }, relationship: relationship)
        default: return []
        }
    }

    private func sorted(
        _ members: [NSManagedObject], relationship: NSRelationshipDescription
    ) -> [NSManagedObject] {
        let stated = relationship.rules.sort
        let key = stated.map { $0.hasPrefix("-") ? String($0.dropFirst()) : $0 }
        guard let key, relationship.destinationEntity?.attributesByName[key]?.isSortable == true else {
            return members.map { ($0.title.lowercased(), $0.objectID.rowNumber ?? Int64.max, $0) }
                .sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
        }
        let descriptors = [NSSortDescriptor(key: key, ascending: stated?.hasPrefix("-") == false)]
        return (members as NSArray).sortedArray(using: descriptors).compactMap { $0 as? NSManagedObject }
    }

    /// A part of the objects of a to-many relationship, which is read with it.
    func memberPage(
        _ object: NSManagedObject, key: String, offset: Int, limit: Int, grants: Grants
    ) throws -> StudioValue {
        let relationship = try relationship(key, of: object)
        try grants.require(.read, entity: object.entity)
        if let destination = relationship.destinationEntity { try grants.require(.read, entity: destination) }
        let members = members(of: object, relationship)
        let part = members.dropFirst(offset).prefix(limit)
        return [
            "count": .integer(members.count), "offset": .integer(offset),
            "members": .list(part.map { link($0, grants: grants) }),
        ]
    }

    /// The same as rows of a grid, to be edited where they stand. The column that leads back is left out.
    func memberRows(
        _ object: NSManagedObject, key: String, offset: Int, limit: Int, grants: Grants
    ) throws -> StudioValue {
        let relationship = try relationship(key, of: object)
        try grants.require(.read, entity: object.entity)
        guard relationship.isToMany, let destination = relationship.destinationEntity else {
            throw StudioProblem(status: 400, "“\(key.prefix(100))” leads to one object.")
        }
        try grants.require(.read, entity: destination)
        let inverse = relationship.inverseRelationship?.name
        let columns = GridColumn.standard(for: destination).filter { $0.key != inverse }
        let members = members(of: object, relationship)
        let rows = members.dropFirst(offset).prefix(limit).filter { grants.has(.read, entity: $0.entity) }
        return [
            "columns": .list(columns.map(\.value)), "count": .integer(members.count),
            "rows": .list(rows.map { row($0, columns: columns, grants: grants) }),
            "isLast": .bool(offset + limit >= members.count), "status": status,
        ]
    }

    func relationship(_ key: String, of object: NSManagedObject) throws -> NSRelationshipDescription {
        guard let relationship = object.entity.relationshipsByName[key] else {
            throw StudioProblem(
                status: 404, "\(object.entity.name ?? "") has no relationship “\(key.prefix(100))”.")
        }
        return relationship
    }

    func attribute(_ key: String, of object: NSManagedObject) throws -> NSAttributeDescription {
        guard let attribute = object.entity.attributesByName[key] else {
            throw StudioProblem(
                status: 404, "\(object.entity.name ?? "") has no attribute “\(key.prefix(100))”.")
        }
        return attribute
    }

    /// Returns the results of a fetched property for an object.
    func report(_ object: NSManagedObject, key: String, limit: Int, grants: Grants) throws -> StudioValue {
        try grants.require(.read, entity: object.entity)
        guard let property = object.entity.propertiesByName[key] as? NSFetchedPropertyDescription else {
            throw StudioProblem(
                status: 404, "\(object.entity.name ?? "") has no report “\(key.prefix(100))”.")
        }
        if object.isInserted {
            throw StudioProblem(status: 409, "Save the object first: reports are fetched from the store.")
        }
        let found = object.value(forKey: property.name) as? [NSManagedObject] ?? []
        let shown = found.filter { grants.has(.read, entity: $0.entity) }
        return [
            "count": .integer(shown.count),
            "members": .list(shown.prefix(limit).map { link($0, grants: grants) }),
        ]
    }

    // MARK: Validation

    /// Returns the faults of an object that was changed, by key; under the empty key those
    /// of the object as a whole.
    func messages(of object: NSManagedObject) -> [String: String] {
        guard object.isInserted || object.isUpdated, !object.isDeleted else { return [:] }
        var messages: [String: String] = [:]
        do {
            try object.isInserted ? object.validateForInsert() : object.validateForUpdate()
        } catch {
            for problem in SaveProblem.problems(of: error)
            where problem.object == nil || problem.object === object {
                let key = problem.key ?? ""
                messages[key] = messages[key].map { $0 + " " + problem.message } ?? problem.message
            }
        }
        return messages
    }
}
