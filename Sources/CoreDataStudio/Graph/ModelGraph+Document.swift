// The picture of a model that is being edited, with the places that its file keeps.

extension ModelGraph {
    /// The ratio of our boxes' width and height to those of Xcode, whose places the file keeps.
    private static let xScale = 1.71875
    private static let yScale = 1.25

    /// Indicates whether the places are the file's; else they were found automatically.
    package struct Placed: Sendable {
        package var graph: ModelGraph
        package var isAutomatic: Bool
    }

    package static func placed(_ root: ModelNode) -> Placed {
        var graph = ModelGraph(root)
        let places = Dictionary(
            (root.child("elements")?.children ?? []).map { ($0.title, $0) },
            uniquingKeysWith: { first, _ in first })
        var isStated = !graph.boxes.isEmpty
        for number in graph.boxes.indices {
            guard let place = places[graph.boxes[number].name],
                let x = place["positionX"].flatMap(Double.init),
                let y = place["positionY"].flatMap(Double.init), abs(x) < 1e6, abs(y) < 1e6
            else {
                isStated = false
                continue
            }
            graph.boxes[number].x = Int(x * xScale)
            graph.boxes[number].y = Int(y * yScale)
        }
        if isStated, !graph.isCrowded { return Placed(graph: graph, isAutomatic: false) }
        graph.layOut()
        return Placed(graph: graph, isAutomatic: true)
    }

    /// Places as the model's file has them.
    package static func filePlace(_ name: String, x: Int, y: Int) -> ModelCommand.Place {
        let limit = 1_000_000.0
        func scaled(_ value: Int, _ scale: Double) -> Int {
            Int((min(max(Double(value), -limit), limit) / scale).rounded())
        }
        return .init(name: name, x: scaled(x, xScale), y: scaled(y, yScale))
    }

    /// Indicates whether boxes lie on each other, as in files in which nobody ever placed them.
    private var isCrowded: Bool {
        for (number, box) in boxes.enumerated() {
            for other in boxes[(number + 1)...] {
                let isApart =
                    abs(box.x - other.x) >= box.width / 2
                    || (box.y <= other.y ? box.y + box.height / 2 : other.y + other.height / 2)
                        <= max(box.y, other.y)
                if !isApart { return true }
            }
        }
        return false
    }

    package init(_ root: ModelNode) {
        let family = ModelFamily(root)
        var lines: [Line] = []
        boxes = family.entities.map { entity in
            Box(
                name: entity.title, parent: entity["parentEntity"], isAbstract: entity.flag("isAbstract"),
                rows: entity.properties.map(Row.init), id: entity.id)
        }
        for entity in family.entities {
            for node in entity.children("relationship") {
                let destination = node["destinationEntity"] ?? ""
                guard family.entity(destination) != nil else { continue }
                let inverse = node["inverseName"]
                let other = inverse.flatMap { family.property($0, of: destination) }
                lines.append(
                    Line(
                        from: entity.title, to: destination, name: node.title, isToMany: node.isToMany,
                        isOrdered: node.flag("ordered"), inverse: inverse,
                        isInverseToMany: other?.isToMany ?? false, id: node.id))
            }
        }
        self.lines = Self.paired(lines) { name, ancestor in family.entity(name, isKindOf: ancestor) }
    }
}

extension ModelGraph.Row {
    fileprivate init(_ node: ModelNode) {
        let isOptional = node.flag("optional")
        switch node.name {
        case "relationship":
            self.init(
                kind: .relationship, name: node.title, type: node["destinationEntity"] ?? "",
                isOptional: isOptional, isToMany: node.isToMany, id: node.id)
        case "fetchedProperty":
            self.init(
                kind: .fetched, name: node.title, type: node.child("fetchRequest")?["entity"] ?? "",
                isOptional: isOptional, isToMany: true, id: node.id)
        default:
            self.init(
                kind: .attribute, name: node.title, type: node["composite"] ?? node.attributeType,
                isOptional: isOptional, id: node.id)
        }
    }
}
