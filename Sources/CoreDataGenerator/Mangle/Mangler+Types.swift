// Types and declarations in mangled names.

extension Mangler {
    mutating func append(_ type: ResolvedType) {
        switch type {
        case .nominal(let nominal, let arguments):
            arguments.isEmpty ? append(nominal) : appendBound(nominal, arguments: arguments)
        case .optional(let wrapped):
            if appendKnown(type) { return }
            append(wrapped)
            append("Sg")
            remember(type)
        case .existential(let existential): append(existential)
        case .tuple(let members): append(tuple: members)
        }
    }

    /// Also the context of what stands in the type.
    mutating func append(_ nominal: NominalType) {
        if let letter = nominal.standardLetter { return appendStandard(letter) }
        let type = ResolvedType.nominal(nominal, [])
        if appendKnown(type) { return }
        appendContext(of: nominal)
        append(name: nominal.name, discriminator: nominal.discriminator)
        append(String(nominal.kind.rawValue))
        remember(type)
    }

    private mutating func appendContext(of nominal: NominalType) {
        if let parent = nominal.parent {
            append(parent)
            if let module = nominal.extensionModule { appendExtension(in: module) }
        } else {
            append(module: nominal.module)
        }
    }

    /// Appends the mark that follows the extended type when the extension is in another module.
    mutating func appendExtension(in module: String) {
        append(module: module)
        append("E")
    }

    private mutating func append(module: String) {
        module == "Swift" ? append("s") : append(identifier: module)
    }

    private mutating func appendBound(_ nominal: NominalType, arguments: [ResolvedType]) {
        let type = ResolvedType.nominal(nominal, arguments)
        if appendKnown(type) { return }
        append(nominal)
        append("y")
        for argument in arguments { append(argument) }
        append("G")
        remember(type)
    }

    private mutating func append(_ existential: ExistentialType) {
        for (number, proto) in existential.protocols.enumerated() {
            if let letter = proto.standardLetter {
                appendStandard(letter)
            } else {
                appendContext(of: proto)
                append(identifier: proto.name)
            }
            if number == 0 { append("_") }
        }
        if existential.protocols.isEmpty { append("y") }
        if let superclass = existential.superclass {
            append(superclass)
            append("Xc")
        } else {
            append(existential.isAnyObject ? "Xl" : "p")
        }
    }

    private mutating func append(tuple members: [ResolvedType]) {
        if members.isEmpty { return append("yt") }
        appendList(members)
        append("t")
    }

    private mutating func appendList(_ types: [ResolvedType]) {
        for (number, type) in types.enumerated() {
            append(type)
            if number == 0 { append("_") }
        }
    }

    // MARK: Declarations

    /// The name of a declaration that is private to a file holds the file's discriminator.
    mutating func append(name: String, discriminator: String?) {
        append(identifier: name)
        if let discriminator {
            append(identifier: discriminator)
            append("LL")
        }
    }

    mutating func appendSignature(labels: [String], parameters: [ResolvedType], result: ResolvedType?) {
        if labels.contains(where: { !$0.isEmpty }) {
            for label in labels { label.isEmpty ? append("_") : append(identifier: label) }
        } else if !labels.isEmpty {
            append("y")
        }
        result.map { append($0) } ?? append("y")
        if parameters.isEmpty {
            append("y")
        } else if parameters.count == 1, labels[0].isEmpty, !parameters[0].isTuple {
            append(parameters[0])
        } else {
            appendList(parameters)
            append("t")
        }
        append("F")
    }
}
