// Code for hand-written classes: the accessors of their managed properties, and their companions.

import Foundation

/// Writes the file that supplies what `@NSManaged` promises in a module's sources.
///
/// The compiler takes such properties without accessors, since Objective-C's run time would add them. Here methods of
/// the same module have the symbols that it expects: `@_silgen_name("$s3App4HeroC4nameSSSgvg")`.
package struct ManagedSources {
    /// The members that can't be supplied. No file should be written then: the link
    /// would fail without a reason.
    package private(set) var problems: [ScanProblem] = []
    /// Properties that the model has otherwise than they are declared.
    package private(set) var warnings: [ScanProblem] = []
    let scan: SourceScan
    let index: ModuleIndex
    let resolver: TypeResolver
    let places: ClassPlaces
    private let generated: Set<String>
    private let stored: StoredProperties
    private var blocks: [String] = []
    private var slots: [String: [CompanionWriter.Slot]] = [:]
    private var isPublic = false
    private var modules: Set<String> = ["CoreData"]
    private var taken: Set<String> = []

    /// `dependencies` are scans of modules that the sources import and name types of. `declared` are the managed object
    /// classes that generated code declares, `generated` those whose companions it has, `properties` what it gives them.
    package init(
        _ scan: SourceScan, dependencies: [SourceScan] = [], places: ClassPlaces, declared: Set<String> = [],
        generated: Set<String> = [], properties: [String: StoredProperties.Generated] = [:]
    ) {
        self.scan = scan
        self.places = places
        self.generated = generated
        stored = StoredProperties(scan, dependencies: dependencies, generated: properties)
        // A class of the sources that has generated properties is read from the sources.
        index = ModuleIndex([scan] + dependencies, declared: declared.union(generated))
        resolver = TypeResolver(index: index, moduleName: scan.moduleName)
        for file in scan.files {
            for type in file.types { add(type, path: []) }
            for declaration in file.extensions { add(declaration) }
        }
        addCompanions()
    }

    /// Indicates that the module doesn't need the file.
    package var isEmpty: Bool { blocks.isEmpty }

    /// The file.
    package var text: String {
        let head = """
            // Generated from the sources of \(scan.moduleName): accessors of properties that say @NSManaged, what
            // classes offer by key, and methods that mapping models call. Changes are lost.

            #if !canImport(ObjectiveC)

            """
        if blocks.isEmpty { return head + "#endif\n" }
        let imports = modules.sorted().map { "\(importAccess($0))import \($0)\n" }.joined()
        return head + imports + "\n" + blocks.joined(separator: "\n\n") + "\n\n#endif\n"
    }

    /// As wide as the sources import the module, so that public accessors may name its types.
    private func importAccess(_ module: String) -> String {
        let levels = scan.files.flatMap(\.imports).filter { $0.module == module }.compactMap(\.access)
        guard let widest = levels.max(), isPublic || widest < .public else { return "" }
        return widest.spelling + " "
    }

    // MARK: Declarations

    private mutating func add(_ type: ScannedType, path: [String]) {
        let path = path + [type.name]
        for inner in type.members.types { add(inner, path: path) }
        guard type.members.hasManaged else { return }
        if type.isGeneric {
            problems.append(
                ScanProblem(
                    type.place, reason: "the generic class \(type.name) can't have managed properties"))
            return
        }
        add(type.members, of: .path(path), at: type.place, isPrivate: type.access <= .fileprivate)
    }

    private mutating func add(_ declaration: ScannedExtension) {
        for inner in declaration.members.types {
            if case .named(let components) = declaration.extended { add(inner, path: components.map(\.name)) }
        }
        guard declaration.members.hasManaged else { return }
        if declaration.isConstrained {
            problems.append(
                ScanProblem(
                    declaration.place, reason: "an extension with conditions can't have managed properties"))
            return
        }
        let file = scan.files.first { $0.path == declaration.place.path }
        let isPrivate = file?.types.contains {
            $0.access <= .fileprivate && .path([$0.name]) == declaration.extended
        }
        add(
            declaration.members, of: declaration.extended, at: declaration.place,
            isPrivate: isPrivate ?? false)
    }

    /// `isPrivate` says that the type is the file's own, whatever other files call so.
    private mutating func add(
        _ members: ScannedMembers, of extended: TypeSyntax, at place: SourcePlace, isPrivate: Bool
    ) {
        var type: NominalType
        do {
            type = try resolver.declared(extended, in: [scan.moduleName])
        } catch {
            problems.append(ScanProblem(place, reason: "\(error)"))
            return
        }
        if isPrivate, type.home == scan.moduleName, type.parent?.isPrivate != true {
            type = NominalType(
                module: type.module, name: type.name, kind: type.kind, parent: type.parent,
                extensionModule: type.extensionModule,
                discriminator: AccessorSymbols.discriminator(
                    .fileprivate, place: place, moduleName: scan.moduleName))
        }
        let writer = AccessorWriter(sources: self, type: type)
        var lines: [String] = []
        for property in members.properties where property.isManaged {
            append(property.place, lines: &lines) { () throws(ResolutionProblem) in
                try writer.accessors(property)
            }
        }
        for method in members.methods where method.isManaged {
            append(method.place, lines: &lines) { () throws(ResolutionProblem) in try writer.accessor(method)
            }
        }
        if !lines.isEmpty {
            blocks.append(
                "extension \(writer.extended) {\n" + lines.joined(separator: "\n") + "\n}")
        }
    }

    private mutating func append(
        _ place: SourcePlace, lines: inout [String],
        write: () throws(ResolutionProblem) -> AccessorWriter.Output
    ) {
        do {
            let output = try write()
            for function in output.functions { lines.append(text(function)) }
            modules.formUnion(output.modules)
            isPublic = isPublic || output.functions.contains { $0.access == .public }
            if let warning = output.warning { warnings.append(ScanProblem(place, reason: warning)) }
            if let slot = output.slot { slots[output.className, default: []].append(slot) }
        } catch {
            problems.append(ScanProblem(place, reason: "\(error)"))
        }
    }

    /// Each method has a name that no other has, even in subclasses and when files have private properties of one
    /// name.
    private mutating func text(_ function: AccessorWriter.Function) -> String {
        var name = function.name
        var number = 2
        while !taken.insert(name).inserted {
            name = "\(function.name)_\(number)"
            number += 1
        }
        return """
                @_silgen_name("\(function.symbol)")
                nonisolated \(function.access.spelling) final func \(name)\(function.signature) {
                    \(function.body)
                }
            """
    }

    // MARK: Companions

    private mutating func addCompanions() {
        for (path, entry) in index.entries.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            guard path[0] == scan.moduleName, case .type(let type, isGeneric: false) = entry.meaning,
                type.kind == .class, type.home == scan.moduleName, entry.access >= .internal
            else { continue }
            let name = path.dropFirst().joined(separator: ".")
            addName(of: name, path: path.dropFirst().map(\.self))
            if inherits(type, from: "NSEntityMigrationPolicy") || inherits(type, from: "NSMigrationManager") {
                addMethods(of: name)
                continue
            }
            // A companion among the sources was written by `coredata generate`.
            let companion = [scan.moduleName, CompanionWriter.companionName(of: name)]
            guard !generated.contains(name), index.entries[companion] == nil,
                entry.place != nil || slots[name] != nil,
                isManaged(type) || slots[name] != nil
            else { continue }
            addCompanion(name, access: entry.access)
        }
    }

    /// A class that Apple's systems know by another name, which models and archives may state: `@objc(CDPerson) class Person`.
    private mutating func addName(of name: String, path: [String]) {
        guard let given = scan.type(path)?.objectiveCName, given != path.last else { return }
        blocks.append(
            """
            nonisolated final class \(given)__Class: NamedClass {
                override class var named: AnyClass { \(name).self }
            }
            """)
    }

    private mutating func addMethods(of name: String) {
        let methods = PolicyMethods(of: name, in: scan)
        warnings += methods.warnings
        if !methods.lines.isEmpty { blocks.append(PolicyMethods.companion(of: name, lines: methods.lines)) }
    }

    private mutating func addCompanion(_ name: String, access: AccessLevel) {
        let custom = CustomKeys(of: name, in: scan, keys: places.keys[name] ?? [])
        let own = slots[name] ?? []
        let keyPaths = stored.names(of: name)
        guard !own.isEmpty || !custom.isEmpty || !keyPaths.isEmpty else { return }
        let writer = CompanionWriter(
            className: name, access: access, slots: own, custom: custom, keyPaths: keyPaths)
        blocks.append(writer.text)
        isPublic = isPublic || access >= .public
    }

    /// The superclass of a class: module, then names. For generated classes the model
    /// says it, not the sources.
    func superclass(of path: [String]) -> [String]? {
        guard let entry = index.entries[path] else { return nil }
        if entry.place == nil, path.first == scan.moduleName,
            let name = places.superclass(of: path.dropFirst().joined(separator: "."))
        {
            return [scan.moduleName] + name.split(separator: ".").map(String.init)
        }
        return entry.inherited.first.flatMap { try? resolver.nominal($0, in: entry.scope) }
            .flatMap { $0.kind == .class ? $0.qualifiedPath : nil }
    }

    func isManaged(_ type: NominalType) -> Bool { inherits(type, from: "NSManagedObject") }

    /// Returns whether a class inherits from one of the library's, as far as the scanned sources tell.
    func inherits(_ type: NominalType, from name: String) -> Bool {
        var type = type
        for _ in 0..<64 {
            if type.module == "CoreData" && type.name == name { return true }
            guard type.kind == .class, let entry = index.entries[type.qualifiedPath],
                let superclass = entry.inherited.first,
                let next = try? resolver.nominal(superclass, in: entry.scope)
            else { return false }
            type = next
        }
        return false
    }
}

extension ScannedMembers {
    fileprivate var hasManaged: Bool {
        properties.contains(where: \.isManaged) || methods.contains(where: \.isManaged)
    }
}
