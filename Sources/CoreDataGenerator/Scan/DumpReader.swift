// Makes declarations of the parser's tree. It has names, attributes and ranges; types are cut out of the source.

/// Reads the tree of one file.
struct DumpReader {
    let source: SourceText

    func file(_ tree: DumpNode) -> ScannedFile {
        let items = tree.nodes("items")
        let members = self.members(items, defaultAccess: .internal)
        return ScannedFile(
            path: source.path, imports: items.filter { $0.kind == "import_decl" }.compactMap(importing),
            types: members.types,
            extensions: items.filter { $0.kind == "extension_decl" }.compactMap(extending),
            typealiases: members.typealiases)
    }

    private func importing(_ node: DumpNode) -> ScannedImport? {
        guard let module = (node.fields["module_path"] as? [String])?.first else { return nil }
        // The parser's attributes of imports lack their access.
        let line = source.bytes[..<node.start].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let words = source.text(line..<node.start).split(separator: " ").map(String.init)
        return ScannedImport(module: module, access: words.compactMap(AccessLevel.init).first)
    }

    private func members(_ nodes: [DumpNode], defaultAccess: AccessLevel) -> ScannedMembers {
        var members = ScannedMembers()
        for node in nodes {
            switch node.kind {
            case "var_decl":
                property(node, defaultAccess: defaultAccess).map { members.properties.append($0) }
            case "func_decl": method(node, defaultAccess: defaultAccess).map { members.methods.append($0) }
            case "typealias": alias(node).map { members.typealiases.append($0) }
            default: type(node, defaultAccess: defaultAccess).map { members.types.append($0) }
            }
        }
        return members
    }

    // MARK: Types

    private func kind(of node: DumpNode) -> ScannedType.Kind? {
        switch node.kind {
        case "class_decl": .class
        case "struct_decl": .structure
        case "enum_decl": .enumeration
        case "protocol", "protocol_decl": .protocol
        default: nil
        }
    }

    private func type(_ node: DumpNode, defaultAccess: AccessLevel) -> ScannedType? {
        guard let kind = kind(of: node), let name = node.name else { return nil }
        let access = declaredAccess(node) ?? defaultAccess
        // Members of a narrow type are as wide as it is; those of a wide one are internal.
        let inside = access < .internal ? .fileprivate : AccessLevel.internal
        let mark = source.objectiveCMark(ofDeclarationAt: node.start, before: node.start)
        return ScannedType(
            kind: kind, name: name, inherited: inherited(node, after: name), access: access,
            isFinal: node.flag("final"), isGeneric: !node.nodes("generic_params").isEmpty,
            isObjectiveC: mark.coversMembers, objectiveCName: mark.name,
            isolation: isolation(node), members: members(node.nodes("members"), defaultAccess: inside),
            place: source.place(at: node.start))
    }

    private func extending(_ node: DumpNode) -> ScannedExtension? {
        // The type stands behind the word `extension`.
        var parser = TypeParser(source, at: node.start + "extension".utf8.count)
        guard let extended = parser.type() else { return nil }
        let access = declaredAccess(node).map { $0 == .private ? .fileprivate : $0 } ?? .internal
        return ScannedExtension(
            extended: extended, inherited: inheritance(at: parser.offset),
            isConstrained: !node.nodes("where_requirements").isEmpty,
            isObjectiveC: source.objectiveCMark(ofDeclarationAt: node.start, before: node.start).isObjectiveC,
            isolation: isolation(node),
            members: members(node.nodes("members"), defaultAccess: access),
            place: source.place(at: node.start))
    }

    /// Returns the types behind the colon of `class Hero: Base, Proto {`.
    private func inherited(_ node: DumpNode, after name: String) -> [TypeSyntax] {
        guard let (_, keyword) = source.identifier(at: node.start) else { return [] }
        var parser = TypeParser(source, at: keyword)
        guard parser.type() != nil else { return [] }
        return inheritance(at: parser.offset)
    }

    private func inheritance(at offset: Int) -> [TypeSyntax] {
        var offset = source.skippingTrivia(offset)
        var types: [TypeSyntax] = []
        while let mark = source.byte(offset),
            (mark == UInt8(ascii: ":") && types.isEmpty) || mark == UInt8(ascii: ",")
        {
            var parser = TypeParser(source, at: offset + 1)
            guard let type = parser.type() else { break }
            types.append(type)
            offset = source.skippingTrivia(parser.offset)
        }
        return types
    }

    private func alias(_ node: DumpNode) -> ScannedTypealias? {
        guard let name = node.name else { return nil }
        let range = node.start..<max(node.start, node.end)
        let equals = source.bytes[range.clamped(to: 0..<source.bytes.count)].firstIndex(of: UInt8(ascii: "="))
        var type: TypeSyntax?
        if let equals {
            var parser = TypeParser(source, at: equals + 1)
            type = parser.type()
        }
        return ScannedTypealias(
            name: name, type: type, isGeneric: !node.nodes("generic_params").isEmpty,
            place: source.place(at: node.start))
    }

    // MARK: Attributes

    func isolation(_ node: DumpNode) -> Isolation? {
        if node.has("nonisolated_attr") { return .nonisolated }
        let attributes = node.attributes.filter { $0.kind == "custom_attr" }
        // Global actors are called so by convention; the parser doesn't know what else an attribute may be.
        let isActor = attributes.contains { attribute in
            source.identifier(at: attribute.start + 1)?.name.hasSuffix("Actor") == true
        }
        return isActor ? .globalActor : nil
    }

    func declaredAccess(_ node: DumpNode) -> AccessLevel? {
        node.attribute("access_control_attr")?.string("access_level").flatMap(AccessLevel.init)
    }
}
