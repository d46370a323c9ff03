// Properties and methods in the parser's tree.

extension DumpReader {
    func property(_ node: DumpNode, defaultAccess: AccessLevel) -> ScannedProperty? {
        guard let name = node.name else { return nil }
        let access = declaredAccess(node) ?? defaultAccess
        let setter = node.attribute("setter_access_attr")?.string("access").flatMap(AccessLevel.init)
        let accessors = node.nodes("accessors")
        let getter = accessors.first { $0.flag("get") }
        return ScannedProperty(
            name: name, type: propertyType(node), isManaged: node.has("ns_managed_attr"),
            isStatic: node.flag("static"), isFinal: node.flag("final"), isOverride: node.has("override_attr"),
            access: access, setterAccess: setter ?? access, hasGetter: getter != nil,
            hasSetter: accessors.contains { $0.flag("set") },
            hasEffects: getter.map(hasEffects) ?? false, isolation: isolation(node),
            availability: availability(node), place: source.place(at: node.start))
    }

    private func availability(_ node: DumpNode) -> Availability {
        let everywhere = node.attributes.filter {
            $0.kind == "available_attr" && $0.string("domainIdentifier") == "*"
        }
        if everywhere.contains(where: { $0.flag("unavailable") }) { return .unavailable }
        return everywhere.contains { $0.flag("deprecated") } ? .deprecated : .usual
    }

    /// The type behind the name; in `var a, b: Date?` that of a later name.
    private func propertyType(_ node: DumpNode) -> TypeSyntax? {
        var offset = node.start
        while let (_, end) = source.identifier(at: offset) {
            let next = source.skippingTrivia(end)
            if source.byte(next) == UInt8(ascii: ":") {
                var parser = TypeParser(source, at: next + 1)
                return parser.type()
            }
            guard source.byte(next) == UInt8(ascii: ",") else { return nil }
            offset = source.skippingTrivia(next + 1)
        }
        return nil
    }

    /// `get async throws {`: words between the accessor's name and its body.
    private func hasEffects(_ accessor: DumpNode) -> Bool {
        guard let body = accessor.node("body"), body.start > accessor.start else { return false }
        let words = effects(from: accessor.start, to: body.start)
        return words.contains("throws") || words.contains("async")
    }

    private func effects(from start: Int, to end: Int) -> [String] {
        var words: [String] = []
        var offset = source.skippingTrivia(start)
        while offset < end, let (word, next) = source.identifier(at: offset) {
            words.append(word)
            offset = source.skippingTrivia(next)
        }
        return words
    }

    func method(_ node: DumpNode, defaultAccess: AccessLevel) -> ScannedMethod? {
        guard let name = node.name, let list = node.node("params"), let parameters = parameters(list) else {
            return nil
        }
        let close = source.skippingTrivia(list.end + 1)
        let effects = effects(from: close, to: source.bytes.count).prefix { $0 == "throws" || $0 == "async" }
        let mark = source.objectiveCMark(ofDeclarationAt: node.start, before: list.start)
        return ScannedMethod(
            name: name, parameters: parameters, result: result(after: close),
            isThrowing: effects.contains("throws"),
            isAsynchronous: effects.contains("async"), isGeneric: !node.nodes("generic_params").isEmpty,
            isManaged: node.has("ns_managed_attr"), isStatic: node.flag("static"),
            isFinal: node.flag("final"),
            isObjectiveC: mark.isObjectiveC, selector: mark.name,
            isolation: isolation(node), access: declaredAccess(node) ?? defaultAccess,
            place: source.place(at: node.start))
    }

    private func result(after close: Int) -> TypeSyntax? {
        var offset = close
        while let (word, end) = source.identifier(at: offset), word == "throws" || word == "async" {
            offset = source.skippingTrivia(end)
            // Of `throws(Failure) -> Int`, the parenthesis is no function's.
            if source.byte(offset) == UInt8(ascii: "(") {
                var parser = TypeParser(source, at: offset + 1)
                guard parser.type() != nil else { return nil }
                offset = source.skippingTrivia(source.skippingTrivia(parser.offset) + 1)
            }
        }
        guard source.has("->", at: offset) else { return nil }
        var parser = TypeParser(source, at: offset + 2)
        return parser.type()
    }

    /// `(_ value: Hero, at index: Int = 0)`. Nil when a type isn't understood, as those of operators may be.
    private func parameters(_ list: DumpNode) -> [ScannedMethod.Parameter]? {
        var parameters: [ScannedMethod.Parameter] = []
        var offset = source.skippingTrivia(list.start + 1)
        while offset < list.end {
            guard let (first, firstEnd) = source.identifier(at: offset) else { return nil }
            offset = source.skippingTrivia(firstEnd)
            var name = first
            if let (second, end) = source.identifier(at: offset) {
                name = second
                offset = source.skippingTrivia(end)
            }
            guard source.byte(offset) == UInt8(ascii: ":") else { return nil }
            var parser = TypeParser(source, at: offset + 1)
            guard let type = parser.type() else { return nil }
            parameters.append(.init(label: first == "_" ? "" : first, name: name, type: type))
            guard let next = nextParameter(from: parser.offset, before: list.end) else { return nil }
            offset = next
        }
        return parameters
    }

    /// Behind the comma; a default value is skipped, brackets and all.
    private func nextParameter(from start: Int, before end: Int) -> Int? {
        var offset = source.skippingTrivia(start)
        var depth = 0
        while offset < end, let byte = source.byte(offset) {
            switch byte {
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            case UInt8(ascii: ",") where depth == 0: return source.skippingTrivia(offset + 1)
            default: break
            }
            offset = source.skippingTrivia(offset + 1)
        }
        return end
    }
}
