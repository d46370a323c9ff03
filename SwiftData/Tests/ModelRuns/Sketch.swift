// A graph as it should be, in plain values.

/// What a model should be.
struct Node: Equatable {
    let kind: Kind
    var traits: [String: AnyHashable]
}

/// Two related nodes: the one on the first side and the one on the second.
struct Pair: Hashable {
    var ends: (Int, Int)

    init(_ first: Int, _ second: Int) { ends = (first, second) }

    func end(_ side: Int) -> Int { side == 0 ? ends.0 : ends.1 }

    func has(_ number: Int) -> Bool { ends.0 == number || ends.1 == number }

    static func == (left: Pair, right: Pair) -> Bool { left.ends == right.ends }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ends.0)
        hasher.combine(ends.1)
    }
}

/// Nodes and what relates them.
struct Sketch: Equatable {
    var nodes: [Int: Node] = [:]
    var pairs: [Set<Pair>] = Relation.all.map { _ in [] }

    var numbers: [Int] { nodes.keys.sorted() }

    func others(of number: Int, _ relation: Int, _ side: Int) -> [Int] {
        pairs[relation].filter { $0.end(side) == number }.map { $0.end(1 - side) }.sorted()
    }

    /// Has a node lead to others, and no more to those that aren't among them.
    mutating func set(_ number: Int, _ relation: Int, _ side: Int, _ others: [Int]) {
        pairs[relation] = pairs[relation].filter {
            $0.end(side) != number || others.contains($0.end(1 - side))
        }
        for other in others where !self.others(of: number, relation, side).contains(other) {
            add(number, relation, side, other)
        }
    }

    mutating func add(_ number: Int, _ relation: Int, _ side: Int, _ other: Int) {
        let sides = Relation.all[relation].sides
        pairs[relation] = pairs[relation].filter { pair in
            let leavesOwn = sides[side].isToOne && pair.end(side) == number
            let leavesOther = sides[1 - side].isToOne && pair.end(1 - side) == other
            return !leavesOwn && !leavesOther
        }
        pairs[relation].insert(side == 0 ? Pair(number, other) : Pair(other, number))
    }

    /// The numbers of nodes and all to which cascades lead from them.
    func withCascades(_ numbers: Set<Int>) -> Set<Int> {
        var (found, work) = (numbers, Array(numbers))
        while let number = work.popLast() {
            for (relation, content) in Relation.all.enumerated() {
                for side in 0...1 where content.sides[side].cascades {
                    work += others(of: number, relation, side).filter { found.insert($0).inserted }
                }
            }
        }
        return found
    }

    mutating func remove(_ numbers: Set<Int>) {
        for number in numbers { nodes[number] = nil }
        for relation in pairs.indices {
            pairs[relation] = pairs[relation].filter {
                !numbers.contains($0.ends.0) && !numbers.contains($0.ends.1)
            }
        }
    }

    /// The nodes of which a condition is true, and what relates them.
    func filter(_ isIncluded: (Int) -> Bool) -> Sketch {
        var copy = self
        copy.remove(Set(nodes.keys.filter { !isIncluded($0) }))
        return copy
    }

    /// Both, which have no node in common.
    func joined(_ other: Sketch) -> Sketch {
        var copy = self
        copy.nodes.merge(other.nodes) { $1 }
        for relation in pairs.indices { copy.pairs[relation].formUnion(other.pairs[relation]) }
        return copy
    }

    /// All to which relationships lead from a node.
    func reachable(_ number: Int) -> Set<Int> {
        var (found, work): (Set<Int>, [Int]) = ([number], [number])
        while let next = work.popLast() {
            for pair in pairs.joined() where pair.has(next) {
                for other in [pair.ends.0, pair.ends.1] where found.insert(other).inserted {
                    work.append(other)
                }
            }
        }
        return found
    }
}
