// Source files: heads, imports and the parts of classes.

/// Puts classes into files.
struct FileWriter {
    let modelName: String
    let planner: ClassPlanner
    let written: HandWritten
    let options: GenerationOptions
    let stored: StoredProperties

    /// All classes in one file.
    func file(_ plans: [ClassPlan]) -> GeneratedFile {
        let parts = plans.flatMap { plan in
            ["// MARK: - \(plan.name)"] + (plan.declaresClass ? [declaration(plan)] : []) + extensions(plan)
        }
        let name = modelName + "+CoreDataModel.swift"
        return GeneratedFile(name: name, text: text(name, parts: parts, access: plans.map(\.access).max()))
    }

    /// The files of one class, as Xcode names them.
    func files(_ plan: ClassPlan) -> [GeneratedFile] {
        let properties = plan.baseName + "+CoreDataProperties.swift"
        let made = GeneratedFile(
            name: properties, text: text(properties, parts: extensions(plan), access: plan.access))
        guard plan.declaresClass else { return [made] }
        let name = plan.baseName + "+CoreDataClass.swift"
        let head = "// \(name)\n// Made from the model \(modelName). Yours to edit.\n\n"
        let text = head + imports(ofSuperclass: plan) + "\n" + declaration(plan) + "\n"
        return [GeneratedFile(name: name, text: text, isForEditing: true), made]
    }

    private func declaration(_ plan: ClassPlan) -> String {
        ClassWriter(plan: plan, names: planner.names).declaration(written.overrides(of: plan.name))
    }

    private func extensions(_ plan: ClassPlan) -> [String] {
        let custom = written.customKeys(of: plan.name, keys: Set(plan.properties.map(\.name)))
        return ClassWriter(plan: plan, names: planner.names).extensions(
            custom: custom, keyPaths: stored.names(of: plan.name))
    }

    private func text(_ name: String, parts: [String], access: AccessLevel?) -> String {
        let head = "// \(name)\n// Generated from the model \(modelName). Changes are lost.\n\n"
        if parts.isEmpty { return head }
        return head + imports(access: access) + "\n" + parts.joined(separator: "\n\n") + "\n"
    }

    /// Returns the imports that a file with nothing but a class needs. An import that is wider
    /// than its use gets a warning.
    private func imports(ofSuperclass plan: ClassPlan) -> String {
        let module = plan.superclass.split(separator: ".").first.map(String.init) ?? ""
        if planner.foreignModules.contains(module) { return "\(Self.word(plan.access)) \(module)\n" }
        return "\(Self.word(plan.superclass == "NSManagedObject" ? plan.access : nil)) CoreData\n"
    }

    private static func word(_ access: AccessLevel?) -> String {
        access.map { $0 >= .package ? min($0, .public).spelling + " import" : "import" } ?? "import"
    }

    /// CoreData brings Foundation with it, here and on Apple's systems.
    private func imports(access: AccessLevel?) -> String {
        let word = Self.word(access)
        return "\(word) CoreData\n"
            + planner.foreignModules.sorted().map { "\(word) \($0)\n" }.joined()
    }
}
