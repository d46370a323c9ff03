// Lays out the diagram of a source model that no editor has laid out yet.

import CoreDataSchema
import CoreDataSupport

/// Puts entities into rows, so that those which are related are near to each other and none covers another.
enum SourceLayout {
    /// Points, as Xcode's boxes have them.
    private static let (width, header, line, least) = (128, 29, 15, 44)
    private static let (gapAcross, gapDown) = (64, 36)
    private static let (left, top) = (-63, -18)

    /// The element `elements` of a model; nil for one without entities.
    static func elements(_ entities: [EntitySchema]) -> XMLTree? {
        if entities.isEmpty { return nil }
        let columns = max(1, Int(Double(entities.count).squareRoot().rounded(.up)))
        var boxes: [XMLTree] = []
        var (y, tallest) = (top, 0)
        for (place, entity) in order(entities).enumerated() {
            if place > 0, place % columns == 0 {
                y += tallest + gapDown
                tallest = 0
            }
            let height = max(least, header + line * entity.properties.count)
            tallest = max(tallest, height)
            boxes.append(
                XMLTree(
                    "element",
                    attributes: [
                        .init("name", value: entity.name),
                        .init("positionX", value: "\(left + place % columns * (width + gapAcross))"),
                        .init("positionY", value: "\(y)"), .init("width", value: "\(width)"),
                        .init("height", value: "\(height)"),
                    ]))
        }
        return XMLTree("elements", children: boxes.sorted { ($0["name"] ?? "") < ($1["name"] ?? "") })
    }

    /// Breadth first over relationships and superentities, beginning with the entity that has most of them.
    private static func order(_ entities: [EntitySchema]) -> [EntitySchema] {
        var neighbours: [String: Set<String>] = [:]
        for entity in entities {
            let destinations = entity.properties.compactMap { $0.relationship?.destinationEntityName }
            for other in destinations + [entity.superentityName].compactMap(\.self) {
                neighbours[entity.name, default: []].insert(other)
                neighbours[other, default: []].insert(entity.name)
            }
        }
        func degree(_ name: String) -> Int { neighbours[name]?.count ?? 0 }
        let known = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
        var seen: Set<String> = []
        var found: [EntitySchema] = []
        for start in entities.map(\.name).sorted(by: { (-degree($0), $0) < (-degree($1), $1) }) {
            var queue = [start][...]
            while let name = queue.popFirst() {
                guard let entity = known[name], seen.insert(name).inserted else { continue }
                found.append(entity)
                queue += (neighbours[name] ?? []).sorted { (-degree($0), $0) < (-degree($1), $1) }
            }
        }
        return found
    }
}
