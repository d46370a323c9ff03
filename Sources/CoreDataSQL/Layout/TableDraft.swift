// The columns of one inheritance tree's table, in Apple's order.

import CoreDataSchema

/// Collects columns while it walks the tree; names that are taken get a number.
struct TableDraft {
    private let root: String
    private let name: String
    private let tree: [String]
    private let index: ModelIndex
    private let numbering: EntityNumbering
    private let relationships: RelationshipPlaces
    private var columns: [ColumnShape] = []
    private var foreignKeys: [String] = []
    private let form: StoreForm
    private let head: HeadColumns
    private var taken: Set<String>
    private(set) var slots: [PropertyAddress: PropertyColumn] = [:]

    private var naming: any StoreNaming { form.naming }

    init(
        root: String, name: String, index: ModelIndex, numbering: EntityNumbering,
        relationships: RelationshipPlaces, form: StoreForm
    ) {
        self.root = root
        self.name = name
        self.form = form
        head = form.head(ofRoot: root, in: index)
        taken = Set(head.all).union(form.naming.systemColumns)
        tree = numbering.subtree(of: root, in: index)
        self.index = index
        self.numbering = numbering
        self.relationships = relationships
    }

    var shape: TableShape {
        TableShape(
            name: name, rootName: root, columns: columns,
            foreignKeys: foreignKeys,
            isPolymorphic: tree.count > 1, head: head,
            isStated: form.stated(.table, in: index.entity(root)?.schema.userInfo) != nil,
            distribution: distribution)
    }

    private var distribution: String? {
        form.stated(.distribution, in: index.entity(root)?.schema.userInfo).flatMap {
            slots[PropertyAddress(root, property: $0)]?.singleColumn
        }
    }

    mutating func fill() throws {
        try reserveStatedNames()
        for entity in tree {
            try addAttributes(of: entity, in: .integer)
            addForeignKeys(of: entity)
        }
        for entity in tree { try addOrderKeys(of: entity) }
        for group in ColumnGroup.allCases where group != .integer {
            for entity in tree { try addAttributes(of: entity, in: group) }
        }
        try checkDistribution()
    }

    private func checkDistribution() throws {
        guard let name = form.stated(.distribution, in: index.entity(root)?.schema.userInfo) else { return }
        guard let column = distribution else {
            throw LayoutFailure(
                entity: root, property: name, "no column of its own distributes the entity's rows")
        }
        for entity in tree {
            for names in index.entity(entity)?.schema.uniquenessConstraints ?? [] where !names.contains(name)
            {
                throw LayoutFailure(
                    entity: entity,
                    "the rows are distributed by \"\(column)\": the constraint over "
                        + "\(names.joined(separator: ", ")) must have \"\(name)\" as well")
            }
        }
    }

    /// Names that a model states are theirs; others make room.
    private mutating func reserveStatedNames() throws {
        for entity in tree {
            let own = index.ownProperties(of: entity).filter { $0.relationship?.isToMany != true }
                .map { PropertyAddress(entity, property: $0.name) }
            for address in own + (relationships.oneWay[entity] ?? []).map(\.address) {
                guard let name = form.stated(address, in: index) else { continue }
                if !taken.insert(name).inserted {
                    throw LayoutFailure(
                        entity: address.entity, property: address.property,
                        "its column \"\(name)\" is that of another property, or of the key or the version")
                }
            }
        }
    }

    private mutating func add(_ name: String, stated: String? = nil, type: String) -> String {
        let name = stated ?? unique(name, taken: &taken)
        columns.append(ColumnShape(name: name, type: type))
        return name
    }

    // MARK: Attributes

    private mutating func addAttributes(of entity: String, in group: ColumnGroup) throws {
        for property in index.ownProperties(of: entity) {
            guard let traits = property.attribute else { continue }
            let address = PropertyAddress(entity, property: property.name)
            guard traits.type == .composite else {
                guard let own = ColumnGroup(traits.type) else {
                    throw LayoutFailure(
                        entity: entity, property: property.name,
                        "an attribute of type \(traits.type) can't be stored; make it transient")
                }
                if own == group {
                    let column = add(
                        naming.column(ofAttribute: [property.name]), stated: form.stated(address, in: index),
                        type: form.dialect.columnType(traits.type))
                    slots[address] = .attribute(column: column, traits.type)
                }
                continue
            }
            for element in try elements(of: property, entity: entity) where element.group == group {
                let column = add(element.column, type: form.dialect.columnType(element.type))
                slots.addElement(.attribute(column: column, element.type), at: element.path, of: address)
            }
        }
    }

    private struct Element {
        var path: String
        var name: String
        var column: String
        var type: AttributeType
        var group: ColumnGroup
    }

    /// The leaves of a composite attribute. Each gets a column of its own, `ZADDRESS_CITY`.
    private func elements(of property: PropertySchema, entity: String) throws -> [Element] {
        var found: [Element] = []
        var pending = (property.attribute?.elements ?? []).map { ([$0.name], $0, 1) }
        while let (path, element, depth) = pending.popLast() {
            guard let traits = element.attribute, depth <= 32 else {
                throw LayoutFailure(
                    entity: entity, property: property.name,
                    "element \"\(path.joined(separator: "."))\" isn't an attribute or is nested too deep")
            }
            if traits.type == .composite {
                pending += traits.elements.map { (path + [$0.name], $0, depth + 1) }
            } else if let group = ColumnGroup(traits.type) {
                let names = [property.name] + path
                found.append(
                    Element(
                        path: path.joined(separator: "."), name: names.joined(separator: "_"),
                        column: naming.column(ofAttribute: names), type: traits.type, group: group))
            } else {
                throw LayoutFailure(
                    entity: entity, property: property.name,
                    "element \"\(path.joined(separator: "."))\" is of a type that can't be stored")
            }
        }
        return found.sorted { precedesIgnoringCase($0.name, than: $1.name) }
    }

    // MARK: Relationships

    private mutating func addForeignKeys(of entity: String) {
        for side in relationships.relationships(of: entity) where !side.traits.isToMany {
            let name = side.address.property
            let destination = side.traits.destinationEntityName
            let column = add(
                naming.foreignKey(name), stated: form.stated(side.address, in: index),
                type: form.dialect.keyType)
            var entityColumn: String?
            if numbering.subtree(of: destination, in: index).count > 1 {
                let number = numbering.numbers[destination] ?? 0
                entityColumn = add(naming.entityColumn(name, number: number), type: form.dialect.keyType)
            }
            foreignKeys.append(column)
            slots[side.address] = .toOne(
                column: column, entityColumn: entityColumn, orderColumn: nil, destination: destination)
        }
        for side in relationships.oneWay[entity] ?? [] {
            let number = numbering.numbers[side.address.entity] ?? 0
            let column = add(
                naming.oneWayKey(side.address, number: number), stated: form.stated(side.address, in: index),
                type: form.dialect.keyType)
            foreignKeys.append(column)
            slots[side.address] = .toMany(
                table: shape.name, column: column, entityColumn: nil, orderColumn: nil, destination: entity)
        }
    }

    private mutating func addOrderKeys(of entity: String) throws {
        for side in relationships.relationships(of: entity) where !side.traits.isToMany {
            guard let inverse = try relationships.inverse(of: side), inverse.traits.isOrdered,
                inverse.traits.isToMany,
                case .toOne(let column, let entityColumn, _, let destination)? = slots[side.address]
            else { continue }
            slots[side.address] = .toOne(
                column: column, entityColumn: entityColumn,
                orderColumn: add(
                    naming.orderColumn(ofKey: naming.foreignKey(side.address.property)),
                    type: form.dialect.keyType),
                destination: destination)
        }
        for side in relationships.oneWay[entity] ?? [] where side.traits.isOrdered {
            guard case .toMany(let table, let column, _, _, let destination)? = slots[side.address] else {
                continue
            }
            let order = add(naming.orderColumn(ofKey: column), type: form.dialect.keyType)
            slots[side.address] = .toMany(
                table: table, column: column, entityColumn: nil, orderColumn: order, destination: destination)
        }
    }
}

extension [PropertyAddress: PropertyColumn] {
    fileprivate mutating func addElement(
        _ column: PropertyColumn, at path: String, of address: PropertyAddress
    ) {
        var elements: [String: PropertyColumn] = [:]
        if case .composite(let existing)? = self[address] { elements = existing }
        elements[path] = column
        self[address] = .composite(elements)
    }
}
