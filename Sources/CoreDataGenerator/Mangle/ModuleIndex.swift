// The types that scanned modules declare, by name.

/// Types and typealiases under their module and names: `App`, `Hero`, `Kind`.
struct ModuleIndex {
    struct Entry {
        enum Meaning {
            case type(NominalType, isGeneric: Bool)
            case alias(TypeSyntax?, isGeneric: Bool)
        }

        let meaning: Meaning
        /// The narrowest level on the way to it.
        let access: AccessLevel
        /// Types and protocols that it inherits from, as written.
        let inherited: [TypeSyntax]
        /// The place in which those names are looked up.
        let scope: [String]
        let place: SourcePlace?
    }

    private(set) var entries: [[String]: Entry] = [:]
    let moduleNames: [String]

    /// `declared` are managed object classes that the first module has beside its sources, in generated code.
    init(_ scans: [SourceScan], declared: Set<String> = []) {
        moduleNames = scans.map(\.moduleName)
        if let module = moduleNames.first {
            for name in declared {
                let nominal = NominalType(module: module, name: name, kind: .class)
                entries[[module, name]] = Entry(
                    meaning: .type(nominal, isGeneric: false), access: .open,
                    inherited: [.simple("NSManagedObject")],
                    scope: [module], place: nil)
            }
        }
        for scan in scans {
            for file in scan.files {
                var members = ScannedMembers()
                members.types = file.types
                members.typealiases = file.typealiases
                add(members, in: nil, path: [scan.moduleName], module: scan.moduleName, access: .open)
            }
        }
        for scan in scans { addExtensions(of: scan) }
    }

    private mutating func add(
        _ members: ScannedMembers, in parent: NominalType?, path: [String], module: String,
        access: AccessLevel
    ) {
        for type in members.types {
            let nominal = NominalType(
                module: parent?.module ?? module, name: type.name, kind: NominalType.Kind(type.kind),
                parent: parent,
                extensionModule: parent.flatMap { $0.home == module ? nil : module },
                discriminator: parent?.isPrivate == true
                    ? nil : AccessorSymbols.discriminator(type.access, place: type.place, moduleName: module))
            let access = min(access, type.access)
            let inner = path + [type.name]
            entries[inner] = Entry(
                meaning: .type(nominal, isGeneric: type.isGeneric), access: access, inherited: type.inherited,
                scope: path, place: type.place)
            add(type.members, in: nominal, path: inner, module: module, access: access)
        }
        for alias in members.typealiases {
            entries[path + [alias.name]] = Entry(
                meaning: .alias(alias.type, isGeneric: alias.isGeneric), access: access, inherited: [],
                scope: path,
                place: alias.place)
        }
    }

    /// Extensions of types that stand in extensions need a second pass.
    private mutating func addExtensions(of scan: SourceScan) {
        var waiting = scan.files.flatMap(\.extensions).filter {
            !$0.members.types.isEmpty || !$0.members.typealiases.isEmpty
        }
        while !waiting.isEmpty {
            let before = waiting.count
            waiting.removeAll { declaration in
                let resolver = TypeResolver(index: self, moduleName: scan.moduleName)
                guard let extended = try? resolver.nominal(declaration.extended, in: [scan.moduleName]) else {
                    return false
                }
                add(
                    declaration.members, in: extended, path: extended.qualifiedPath, module: scan.moduleName,
                    access: entries[extended.qualifiedPath]?.access ?? .open)
                return true
            }
            if waiting.count == before { return }
        }
    }
}

extension NominalType {
    /// The module in which it is declared, which isn't its outermost type's for types in extensions.
    var home: String { extensionModule ?? parent?.home ?? module }
}

extension NominalType.Kind {
    init(_ kind: ScannedType.Kind) {
        self =
            switch kind {
            case .class: .class
            case .structure: .structure
            case .enumeration: .enumeration
            case .protocol: .protocol
            }
    }
}
