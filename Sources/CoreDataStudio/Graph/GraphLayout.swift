// Finds places for boxes: in layers, so that most lines lead downwards and few cross.

/// A layered layout. The same graph always gets the same places.
package struct GraphLayout {
    package struct Size {
        package var width: Int
        package var height: Int

        package init(width: Int, height: Int) {
            self.width = width
            self.height = height
        }
    }

    package struct Edge {
        package var from: Int
        package var to: Int
        /// Indicates whether the first box must stand above the second; else it only should be near.
        package var isStrict: Bool

        package init(from: Int, to: Int, isStrict: Bool = false) {
            self.from = from
            self.to = to
            self.isStrict = isStrict
        }
    }

    static let gapX = 60
    static let gapY = 70

    private let sizes: [Size]
    /// Lines that lead from above to below.
    private let edges: [Edge]
    private var places: [(x: Int, y: Int)]

    /// The places of the boxes' upper left corners, all from 0 on. Edges that would close a circle count the
    /// other way.
    package static func places(sizes: [Size], edges: [Edge]) -> [(x: Int, y: Int)] {
        var layout = GraphLayout(sizes: sizes, edges: edges)
        layout.run()
        return layout.places
    }

    private init(sizes: [Size], edges: [Edge]) {
        self.sizes = sizes
        self.edges = edges.filter { $0.from != $0.to }
        places = Array(repeating: (0, 0), count: sizes.count)
    }

    private mutating func run() {
        var blocks: [(members: [Int], width: Int, height: Int)] = []
        let parts = components()
        for part in parts.filter({ $0.count > 1 }) { blocks.append(place(part)) }
        for part in parts where part.count == 1 {
            blocks.append((part, sizes[part[0]].width, sizes[part[0]].height))
        }
        pack(blocks)
    }

    private func components() -> [[Int]] {
        var group = Array(sizes.indices)
        func root(_ node: Int) -> Int {
            var node = node
            while group[node] != node { node = group[node] }
            return node
        }
        for edge in edges {
            let (left, right) = (root(edge.from), root(edge.to))
            if left != right { group[max(left, right)] = min(left, right) }
        }
        let parts = Dictionary(grouping: sizes.indices, by: root)
        return parts.keys.sorted().compactMap { parts[$0] }.sorted { $0.count > $1.count }
    }

    // MARK: One connected part

    private mutating func place(_ members: [Int]) -> (members: [Int], width: Int, height: Int) {
        var layers = self.layers(of: members)
        let neighbours = self.neighbours(of: members)
        for sweep in 0..<8 { order(&layers, neighbours: neighbours, isDownward: sweep % 2 == 0) }
        var y = 0
        var centres: [Int: Double] = [:]
        for layer in layers {
            var x = 0.0
            for node in layer {
                centres[node] = x + Double(sizes[node].width) / 2
                x += Double(sizes[node].width + Self.gapX)
                places[node].y = y
            }
            y += (layer.map { sizes[$0].height }.max() ?? 0) + Self.gapY
        }
        for _ in 0..<12 { for layer in layers { align(layer, neighbours: neighbours, centres: &centres) } }
        let left = members.map { (centres[$0] ?? 0) - Double(sizes[$0].width) / 2 }.min() ?? 0
        for node in members {
            places[node].x = Int((centres[node] ?? 0) - Double(sizes[node].width) / 2 - left)
        }
        let width = members.map { places[$0].x + sizes[$0].width }.max() ?? 0
        return (members, width, y - Self.gapY)
    }

    private func neighbours(of members: [Int]) -> [Int: [Int]] {
        let inside = Set(members)
        var neighbours: [Int: [Int]] = [:]
        for edge in edges where inside.contains(edge.from) {
            neighbours[edge.from, default: []].append(edge.to)
            neighbours[edge.to, default: []].append(edge.from)
        }
        return neighbours
    }

    /// Each box below those that must stand above it and one below the nearest others, as far as a layer has
    /// room: for so many boxes that the part gets somewhat wider than high.
    private func layers(of members: [Int]) -> [[Int]] {
        let ranked = rank(members)
        let position = Dictionary(uniqueKeysWithValues: ranked.enumerated().map { ($1, $0) })
        let heights = members.reduce(0) { $0 + sizes[$1].height + Self.gapY }
        let widths = members.reduce(0) { $0 + sizes[$1].width + Self.gapX }
        let shape = Double(members.count) * 1.5 * Double(heights) / Double(max(widths, 1))
        let room = max(3, Int(shape.squareRoot().rounded(.up)))
        var level: [Int: Int] = [:]
        var layers: [[Int]] = []
        for node in ranked {
            var (least, nearest): (Int, Int?) = (0, nil)
            for edge in edges where edge.from == node || edge.to == node {
                let other = edge.to == node ? edge.from : edge.to
                guard let above = level[other], position[other] ?? 0 < position[node] ?? 0 else { continue }
                if edge.isStrict { least = max(least, above + 1) }
                nearest = min(nearest ?? above + 1, above + 1)
            }
            least = max(least, nearest ?? 0)
            while least < layers.count, layers[least].count >= room { least += 1 }
            while layers.count <= least { layers.append([]) }
            layers[least].append(node)
            level[node] = least
        }
        return layers.filter { !$0.isEmpty }
    }

    /// An order in which few edges lead backwards: sources go first, sinks last, in between what has most
    /// going out.
    private func rank(_ members: [Int]) -> [Int] {
        var left = Set(members)
        var (head, tail): ([Int], [Int]) = ([], [])
        while !left.isEmpty {
            var incoming: [Int: Int] = [:]
            var outgoing: [Int: Int] = [:]
            for edge in edges where left.contains(edge.from) && left.contains(edge.to) {
                outgoing[edge.from, default: 0] += 1
                incoming[edge.to, default: 0] += 1
            }
            let nodes = left.sorted()
            if let sink = nodes.last(where: { outgoing[$0] == nil }), incoming[sink] != nil {
                tail.append(sink)
                left.remove(sink)
                continue
            }
            let best = nodes.max { first, second in
                let one = (outgoing[first] ?? 0) - (incoming[first] ?? 0)
                let two = (outgoing[second] ?? 0) - (incoming[second] ?? 0)
                return one == two ? first > second : one < two
            }
            guard let next = nodes.first(where: { incoming[$0] == nil }) ?? best else { break }
            head.append(next)
            left.remove(next)
        }
        return head + tail.reversed()
    }

    /// Orders each layer by where the neighbours in the one before stand.
    private func order(_ layers: inout [[Int]], neighbours: [Int: [Int]], isDownward: Bool) {
        let numbers = isDownward ? Array(layers.indices) : layers.indices.reversed()
        var position: [Int: Double] = [:]
        for layer in layers {
            for (place, node) in layer.enumerated() {
                position[node] = (Double(place) + 0.5) / Double(layer.count)
            }
        }
        for number in numbers {
            let wish = Dictionary(
                uniqueKeysWithValues: layers[number].map { node in
                    let near = (neighbours[node] ?? []).compactMap { position[$0] }
                    return (node, near.isEmpty ? position[node] ?? 0 : near.reduce(0, +) / Double(near.count))
                })
            layers[number].sort { first, second in
                let (one, two) = (wish[first] ?? 0, wish[second] ?? 0)
                return one == two ? first < second : one < two
            }
            for (place, node) in layers[number].enumerated() {
                position[node] = (Double(place) + 0.5) / Double(layers[number].count)
            }
        }
    }

    /// Moves the boxes of a layer towards their neighbours without changing their order.
    private func align(_ layer: [Int], neighbours: [Int: [Int]], centres: inout [Int: Double]) {
        let wishes = layer.map { node in
            let near = (neighbours[node] ?? []).compactMap { centres[$0] }
            return near.isEmpty ? centres[node] ?? 0 : near.reduce(0, +) / Double(near.count)
        }
        func distance(_ number: Int) -> Double {
            Double(sizes[layer[number]].width + sizes[layer[number + 1]].width) / 2 + Double(Self.gapX)
        }
        var leftmost = wishes
        for number in layer.indices.dropFirst() {
            leftmost[number] = max(wishes[number], leftmost[number - 1] + distance(number - 1))
        }
        var rightmost = wishes
        for number in layer.indices.dropLast().reversed() {
            rightmost[number] = min(wishes[number], rightmost[number + 1] - distance(number))
        }
        for (number, node) in layer.enumerated() {
            centres[node] = (leftmost[number] + rightmost[number]) / 2
        }
    }

    // MARK: All parts

    /// Puts the parts in rows that together are somewhat wider than high.
    private mutating func pack(_ blocks: [(members: [Int], width: Int, height: Int)]) {
        let area = blocks.reduce(0.0) {
            $0 + Double($1.width + Self.gapX) * Double($1.height + Self.gapY)
        }
        let target = max(Int((area * 1.8).squareRoot()), blocks.map(\.width).max() ?? 0)
        var (x, y, height) = (0, 0, 0)
        for block in blocks {
            if x > 0, x + block.width > target {
                (x, y, height) = (0, y + height + Self.gapY, 0)
            }
            for node in block.members {
                places[node].x += x
                places[node].y += y
            }
            x += block.width + Self.gapX
            height = max(height, block.height)
        }
    }
}

extension ModelGraph {
    /// Finds places for all boxes.
    package mutating func layOut() {
        let numbers = Dictionary(boxes.enumerated().map { ($1.name, $0) }) { first, _ in first }
        var edges: [GraphLayout.Edge] = []
        for (number, box) in boxes.enumerated() {
            if let parent = box.parent.flatMap({ numbers[$0] }) {
                edges.append(.init(from: parent, to: number, isStrict: true))
            }
        }
        for line in lines {
            guard let from = numbers[line.from], let to = numbers[line.to] else { continue }
            // The side with many destinations stands above its destinations.
            let isUpward = !line.isToMany && line.isInverseToMany
            edges.append(isUpward ? .init(from: to, to: from) : .init(from: from, to: to))
        }
        let places = GraphLayout.places(
            sizes: boxes.map { .init(width: $0.width, height: $0.height) }, edges: edges)
        for number in boxes.indices { (boxes[number].x, boxes[number].y) = places[number] }
    }
}
