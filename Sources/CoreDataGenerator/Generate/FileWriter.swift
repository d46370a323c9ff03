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
            let writer = ClassWriter(plan: plan, names: planner.names)
            return ["// MARK: - \(plan.name)"] + (plan.declaresClass ? [writer.declaration] : [])
                + extensions(plan)
        }
        let name = modelName + "+CoreDataModel.swift"
        return GeneratedFile(name: name, text: text(name, parts, access: plans.map(\.access).max()))
    }

    /// The files of one class, as Xcode names them.
    func files(_ plan: ClassPlan) -> [GeneratedFile] {
        let properties = plan.baseName + "+CoreDataProperties.swift"
        let made = GeneratedFile(
            name: properties, text: text(properties, extensions(plan), access: plan.access))
        guard plan.declaresClass else { return [made] }
        let name = plan.baseName + "+CoreDataClass.swift"
        let declaration = ClassWriter(plan: plan, names: planner.names).declaration
        let head = "// \(name)\n// Made from the model \(modelName). Yours to edit.\n\n"
        let text = head + imports(access: plan.access) + "\n" + declaration + "\n"
        return [GeneratedFile(name: name, text: text, isForEditing: true), made]
    }

    private func extensions(_ plan: ClassPlan) -> [String] {
        let custom = written.customKeys(of: plan.name, keys: Set(plan.properties.map(\.name)))
        return ClassWriter(plan: plan, names: planner.names).extensions(
            custom: custom, keyPaths: stored.names(of: plan.name))
    }

    private func text(_ name: String, _ parts: [String], access: AccessLevel?) -> String {
        let head = "// \(name)\n// Generated from the model \(modelName). Changes are lost.\n\n"
        if parts.isEmpty { return head }
        return head + imports(access: access) + "\n" + parts.joined(separator: "\n\n") + "\n"
    }

    /// CoreData brings Foundation with it, here and on Apple's systems.
    private func imports(access: AccessLevel?) -> String {
        let word =
            access.map { $0 >= .package ? min($0, .public).spelling + " import" : "import" } ?? "import"
        return "\(word) CoreData\n"
            + planner.foreignModules.sorted().map { "\(word) \($0)\n" }.joined()
    }
}
