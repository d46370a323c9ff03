// A generated predicate as a tree of text, so that a failing one can be made smaller.

/// A piece of a format with its kind; terms of one kind can stand for each other.
struct Term {
    enum Kind: Equatable { case predicate, number, text, date, object, list }

    enum Part {
        case text(String)
        case term(Term)
    }

    var kind: Kind
    var parts: [Part]

    init(_ kind: Kind, _ parts: Part...) {
        (self.kind, self.parts) = (kind, parts)
    }

    var format: String {
        parts.map {
            switch $0 {
            case .text(let text): text
            case .term(let term): term.format
            }
        }.joined()
    }

    /// Smaller terms that could stand in this one's place.
    var shrunk: [Term] {
        var result: [Term] = []
        for (index, part) in parts.enumerated() {
            guard case .term(let child) = part else { continue }
            if child.kind == kind { result.append(child) }
            for smaller in child.shrunk + child.simplest {
                var copy = self
                copy.parts[index] = .term(smaller)
                result.append(copy)
            }
        }
        return result
    }

    private var simplest: [Term] {
        switch kind {
        case .number where parts.count > 1: [Term(.number, .text("1"))]
        case .text where parts.count > 1: [Term(.text, .text("'a'"))]
        case .predicate where parts.count > 1: [Term(.predicate, .text("TRUEPREDICATE"))]
        default: []
        }
    }

    /// The smallest term that can be reached and for which a test still holds.
    func minimal(_ fails: (Term) -> Bool) -> Term {
        var best = self
        var steps = 0
        while steps < 200,
            let next = best.shrunk.first(where: { $0.format.count < best.format.count && fails($0) })
        {
            best = next
            steps += 1
        }
        return best
    }
}

extension Term.Part: ExpressibleByStringLiteral {
    init(stringLiteral value: String) { self = .text(value) }
}
