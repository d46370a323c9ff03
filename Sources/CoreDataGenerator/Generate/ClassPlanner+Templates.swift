// Functions for the fetch request templates of a model.

import CoreDataPredicate
import CoreDataSchema
import Foundation

extension ClassPlanner {
    /// Gives each template to the class of its entity.
    mutating func addTemplates(to plans: inout [ClassPlan]) {
        for template in index.model.fetchTemplates.sorted(by: { $0.name < $1.name }) {
            guard let entity = index.entity(template.request.entityName),
                let className = className(of: entity.name),
                let number = plans.firstIndex(where: { $0.name == className })
            else { continue }
            let name = Self.memberName(template.name)
            if name == "fetchRequest" || plans[number].templates.contains(where: { $0.name == name }) {
                add(
                    .warning, entity: entity, property: nil,
                    message:
                        "there is no function for the template \"\(template.name)\": another has its name")
                continue
            }
            if let plan = plan(template, name: name, entity: entity, owner: plans[number]) {
                plans[number].templates.append(plan)
            }
        }
    }

    private mutating func plan(
        _ template: FetchTemplateSchema, name: String, entity: ModelIndex.Entity, owner: ClassPlan
    ) -> TemplatePlan? {
        let request = template.request
        var lines: [String] = []
        var parameters: [TemplatePlan.Parameter] = []
        if let predicate = request.predicate {
            guard let parsed = try? PredicateParser.predicate(predicate.format),
                parsed.canonical == predicate.canonical
            else {
                add(
                    .warning, entity: entity, property: nil,
                    message:
                        "there is no function for the template \"\(template.name)\": its predicate can't be written "
                        + "as a format")
                return nil
            }
            parameters = self.parameters(of: predicate, entity)
            lines.append(self.line(predicate, parameters: parameters))
        }
        lines += Self.fields(of: request)
        return TemplatePlan(
            name: name, templateName: template.name, entityName: entity.name, parameters: parameters,
            resultType: Self.resultType(request.resultType, element: owner.type), lines: lines)
    }

    private func line(_ predicate: PredicateTree, parameters: [TemplatePlan.Parameter]) -> String {
        let format = "NSPredicate(format: \(ValueLiteral.string(predicate.format)))"
        if parameters.isEmpty { return "request.predicate = \(format)" }
        let values = parameters.map { "\(ValueLiteral.string($0.variable)): \(Keywords.escaped($0.name))" }
        return
            "request.predicate = \(format)\n    .withSubstitutionVariables([\(values.joined(separator: ", "))])"
    }

    private static func resultType(_ raw: UInt, element: String) -> String {
        switch raw {
        case 1: "NSManagedObjectID"
        case 2: "NSDictionary"
        case 4: "NSNumber"
        default: element
        }
    }

    private static func fields(of request: FetchRequestSchema) -> [String] {
        var lines: [String] = []
        if !request.sortKeys.isEmpty {
            let keys = request.sortKeys.map {
                "NSSortDescriptor(key: \(ValueLiteral.string($0.keyPath)), ascending: \($0.ascending))"
            }
            lines.append("request.sortDescriptors = [\(keys.joined(separator: ", "))]")
        }
        let types: [UInt: String] = [
            1: "managedObjectIDResultType", 2: "dictionaryResultType", 4: "countResultType",
        ]
        if let type = types[request.resultType] { lines.append("request.resultType = .\(type)") }
        func add(_ name: String, _ value: Int, unless usual: Int) {
            if value != usual { lines.append("request.\(name) = \(value)") }
        }
        func add(_ name: String, _ value: Bool, unless usual: Bool) {
            if value != usual { lines.append("request.\(name) = \(value)") }
        }
        func add(_ name: String, _ names: [String]) {
            if !names.isEmpty {
                lines.append("request.\(name) = [\(names.map(ValueLiteral.string).joined(separator: ", "))]")
            }
        }
        add("fetchLimit", request.fetchLimit, unless: 0)
        add("fetchOffset", request.fetchOffset, unless: 0)
        add("fetchBatchSize", request.fetchBatchSize, unless: 0)
        add("includesSubentities", request.includesSubentities, unless: true)
        add("includesPropertyValues", request.includesPropertyValues, unless: true)
        add("includesPendingChanges", request.includesPendingChanges, unless: true)
        add("returnsObjectsAsFaults", request.returnsObjectsAsFaults, unless: true)
        add("returnsDistinctResults", request.returnsDistinctResults, unless: false)
        add("propertiesToFetch", request.propertiesToFetch)
        add("propertiesToGroupBy", request.propertiesToGroupBy)
        add("relationshipKeyPathsForPrefetching", request.relationshipKeyPathsForPrefetching)
        return lines
    }

    // MARK: Parameters

    /// The variables in the order of their names, with the types of the attributes that they are compared with.
    private func parameters(
        of predicate: PredicateTree, _ entity: ModelIndex.Entity
    ) -> [TemplatePlan.Parameter] {
        predicate.variables.sorted().map { variable in
            let types = comparands(of: variable, in: predicate).compactMap { type(of: $0, from: entity) }
            return TemplatePlan.Parameter(
                name: Self.memberName(variable), variable: variable,
                type: Set(types).count == 1 ? types[0] : "Any")
        }
    }

    /// The key paths that a variable is compared with one by one; an empty one where it is used in another way.
    private func comparands(of variable: String, in predicate: PredicateTree) -> [String] {
        switch predicate {
        case .and(let parts), .or(let parts): return parts.flatMap { comparands(of: variable, in: $0) }
        case .not(let part): return comparands(of: variable, in: part)
        case .constant, .block: return []
        case .comparison(let comparison):
            guard PredicateTree.comparison(comparison).variables.contains(variable) else { return [] }
            guard comparison.op != .in, comparison.op != .between, comparison.op != .contains else {
                return [""]
            }
            if comparison.right == .variable(variable),
                case .keyPath(.evaluatedObject, let path) = comparison.left
            {
                return [path]
            }
            if comparison.left == .variable(variable),
                case .keyPath(.evaluatedObject, let path) = comparison.right
            {
                return [path]
            }
            return [""]
        }
    }

    /// The type of what a key path leads to.
    private func type(of path: String, from entity: ModelIndex.Entity) -> String {
        var entity = entity
        let keys = path.split(separator: ".").map(String.init)
        for (position, key) in keys.enumerated() {
            guard let property = entity.propertiesByName[key] else { return "Any" }
            if let traits = property.attribute {
                return position == keys.count - 1 ? parameterType(traits.type) : "Any"
            }
            guard let traits = property.relationship, let next = index.entity(traits.destinationEntityName)
            else { return "Any" }
            if position == keys.count - 1 { return className(of: next.name) ?? "NSManagedObject" }
            entity = next
        }
        return "Any"
    }

    private func parameterType(_ type: AttributeType) -> String {
        switch type {
        case .integer16: names("Int16")
        case .integer32: names("Int32")
        case .integer64: names("Int64")
        case .boolean: names("Bool")
        case .double: names("Double")
        case .float: names("Float")
        case .decimal: "NSDecimalNumber"
        case .string: names("String")
        case .date: names("Date")
        case .binaryData: names("Data")
        case .uuid: names("UUID")
        case .uri: names("URL")
        case .objectID: "NSManagedObjectID"
        case .undefined, .transformable, .composite: "Any"
        }
    }

    // MARK: Text

    /// `getHammersByWeight`, `WEIGHT` → `weight`, `MIN_WEIGHT` → `minWeight`.
    static func memberName(_ text: String) -> String {
        let words = text.split { !$0.isLetter && !$0.isNumber }.map(String.init)
        let isShouted = !text.contains(where: \.isLowercase)
        let name = words.enumerated().map { position, word in
            let word = isShouted ? word.lowercased() : word
            let first = position == 0 ? word.prefix(1).lowercased() : word.prefix(1).uppercased()
            return first + word.dropFirst()
        }.joined()
        return name.first?.isLetter == true ? name : "_" + name
    }
}
