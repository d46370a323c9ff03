// A model as a picture: entities as boxes, inheritance and relationships as lines.

public import CoreData
import CoreDataFiles
package import CoreDataSchema

/// The entities of a model with what connects them, to be laid out and drawn.
public struct ModelGraph: Sendable, Hashable {
    /// An entity.
    package struct Box: Sendable, Hashable, Encodable {
        package var name: String
        package var parent: String?
        package var isAbstract = false
        package var rows: [Row] = []
        package var x = 0
        package var y = 0
        package var width = ModelGraph.boxWidth
        package var height: Int {
            ModelGraph.headHeight + rows.count * ModelGraph.rowHeight + ModelGraph.footHeight
        }
        /// The number of the entity's element where the model is being edited.
        package var id: Int?

        private enum CodingKeys: String, CodingKey {
            case name, parent, isAbstract, rows, x, y, width, height, id
        }

        package func encode(to encoder: any Encoder) throws {
            var box = encoder.container(keyedBy: CodingKeys.self)
            try box.encode(name, forKey: .name)
            try box.encodeIfPresent(parent, forKey: .parent)
            try box.encode(isAbstract, forKey: .isAbstract)
            try box.encode(rows, forKey: .rows)
            try box.encode(x, forKey: .x)
            try box.encode(y, forKey: .y)
            try box.encode(width, forKey: .width)
            try box.encode(height, forKey: .height)
            try box.encodeIfPresent(id, forKey: .id)
        }
    }

    /// A property of an entity.
    package struct Row: Sendable, Hashable, Encodable {
        package enum Kind: String, Sendable, Hashable, Encodable { case attribute, relationship, fetched }

        package var kind: Kind
        package var name: String
        /// The type's name, or the destination's.
        package var type: String
        package var isOptional: Bool
        package var isToMany = false
        package var id: Int?
    }

    /// A relationship, with its inverse if it has one.
    package struct Line: Sendable, Hashable, Encodable {
        package var from: String
        package var to: String
        package var name: String
        package var isToMany: Bool
        package var isOrdered = false
        package var inverse: String?
        package var isInverseToMany = false
        package var id: Int?
    }

    /// The part of each entity that is shown.
    package enum Detail: String, Sendable, CaseIterable, Encodable { case all, relationships, names }

    static let boxWidth = 220
    private static let nameWidth = 170
    static let headHeight = 30
    static let rowHeight = 18
    static let footHeight = 6

    package var boxes: [Box]
    package var lines: [Line]

    package init(boxes: [Box], lines: [Line]) {
        self.boxes = boxes
        self.lines = lines
    }

    /// A model's entities, in the order of their names, laid out automatically.
    public init(_ model: NSManagedObjectModel) {
        self.init(model.schema)
        layOut()
    }

    package init(_ schema: ModelSchema) {
        let index = ModelIndex(schema)
        boxes = schema.entities.sorted { $0.name < $1.name }.map { entity in
            Box(
                name: entity.name, parent: entity.superentityName, isAbstract: entity.isAbstract,
                rows: entity.properties.map(Row.init))
        }
        var lines: [Line] = []
        for entity in schema.entities.sorted(by: { $0.name < $1.name }) {
            for property in entity.properties {
                guard let traits = property.relationship else { continue }
                let inverse = traits.inverseName.flatMap {
                    index.entity(traits.destinationEntityName)?.propertiesByName[$0]?.relationship
                }
                lines.append(
                    Line(
                        from: entity.name, to: traits.destinationEntityName, name: property.name,
                        isToMany: traits.isToMany, isOrdered: traits.isOrdered, inverse: traits.inverseName,
                        isInverseToMany: inverse?.isToMany ?? false))
            }
        }
        self.lines = Self.paired(lines) { name, ancestor in index.entity(name, isKindOf: ancestor) }
    }

    /// One line for each pair of inverses: the one that was met first.
    static func paired(_ lines: [Line], isKind: (String, String) -> Bool) -> [Line] {
        var kept: [Line] = []
        for line in lines {
            let isOther = kept.contains { other in
                other.inverse == line.name && line.inverse == other.name
                    && (isKind(other.to, line.from) || isKind(line.from, other.to))
                    && (isKind(line.to, other.from) || isKind(other.from, line.to))
            }
            if !isOther { kept.append(line) }
        }
        return kept
    }

    /// Returns what can be reached from an entity in so many steps, by relationships and inheritance in both
    /// directions; nil if there is no such entity.
    ///
    /// - Parameters:
    ///   - entity: the entity's name.
    ///   - steps: how many steps at most.
    public func neighbourhood(of entity: String, steps: Int) -> ModelGraph? {
        guard boxes.contains(where: { $0.name == entity }) else { return nil }
        var reached: Set<String> = [entity]
        for _ in 0..<max(0, min(steps, boxes.count)) {
            var next = reached
            for line in lines {
                if reached.contains(line.from) { next.insert(line.to) }
                if reached.contains(line.to) { next.insert(line.from) }
            }
            for box in boxes {
                guard let parent = box.parent else { continue }
                if reached.contains(box.name) { next.insert(parent) }
                if reached.contains(parent) { next.insert(box.name) }
            }
            reached = next
        }
        var graph = ModelGraph(
            boxes: boxes.filter { reached.contains($0.name) },
            lines: lines.filter { reached.contains($0.from) && reached.contains($0.to) })
        graph.layOut()
        return graph
    }

    /// Leaves properties out and finds places for the smaller boxes.
    package mutating func reduce(to detail: Detail) {
        if detail == .all { return }
        for place in boxes.indices {
            boxes[place].rows.removeAll { detail == .names || $0.kind == .attribute }
            if detail == .names { boxes[place].width = Self.nameWidth }
        }
        layOut()
    }

    func box(_ name: String) -> Box? { boxes.first { $0.name == name } }
}

extension ModelGraph.Row {
    fileprivate init(_ property: PropertySchema) {
        switch property.kind {
        case .attribute(let traits):
            self.init(
                kind: .attribute, name: property.name, type: traits.compositeName ?? traits.type.sourceName,
                isOptional: property.isOptional)
        case .relationship(let traits):
            self.init(
                kind: .relationship, name: property.name, type: traits.destinationEntityName,
                isOptional: property.isOptional, isToMany: traits.isToMany)
        case .fetched(let request):
            self.init(
                kind: .fetched, name: property.name, type: request.entityName,
                isOptional: property.isOptional,
                isToMany: true)
        }
    }
}
