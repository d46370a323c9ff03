// Remarks on models that can be used: those that Xcode's editor and compilers make of names, classes, inverses and
// transformers.

import Foundation

extension ModelChecker {
    mutating func checkConventions() {
        checkClasses()
        for entity in family.entities {
            checkName(of: entity)
            if entity.flag("isAbstract"),
                !family.entities.contains(where: { $0["parentEntity"] == entity.title })
            {
                add(
                    .note, node: entity, field: "isAbstract",
                    message: "No entity inherits from this abstract one: there can't be objects of it.")
            }
            for index in entity.children("fetchIndex") where index.children.isEmpty {
                add(
                    .warning, node: index, field: nil, message: "The fetch index has no elements.", in: entity
                )
            }
            for property in entity.properties { checkConventions(of: property, in: entity) }
        }
        for composite in root.children("composite") {
            for attribute in composite.children { checkConventions(of: attribute, in: composite) }
        }
    }

    private mutating func checkConventions(of property: ModelNode, in owner: ModelNode) {
        if property.title.first?.isUppercase == true {
            add(
                .warning, node: property, field: "name",
                message: "Xcode wants names of properties to begin with a lower-case letter.", in: owner)
        } else if let family = Self.ownedFamily(of: property.title) {
            add(
                .warning, node: property, field: "name",
                message:
                    "Objective-C takes what a method gives whose name begins with \"\(family)\" for the caller's to release.",
                in: owner)
        }
        switch property.name {
        case "attribute" where property.attributeType == "Transformable":
            checkTransformer(property, in: owner)
        case "relationship": checkMissingInverse(of: property, in: owner)
        default: break
        }
    }

    // MARK: Names

    private mutating func checkName(of entity: ModelNode) {
        guard entity.title.first?.isLowercase == true else { return }
        add(
            .warning, node: entity, field: "name",
            message: "Xcode wants names of entities to begin with a capital letter.")
    }

    /// The word by which Objective-C takes a method for one whose result its caller owns: `newTitle`, but not `newest`.
    private static func ownedFamily(of name: String) -> String? {
        ["alloc", "new", "copy", "mutableCopy"].first { word in
            name.hasPrefix(word) && name.dropFirst(word.count).first.map { !$0.isLowercase } == true
        }
    }

    // MARK: Classes

    private mutating func checkClasses() {
        var owners: [String: String] = [:]
        for entity in family.entities {
            guard let name = entity.classParts.name, name != "NSManagedObject" else { continue }
            if !Self.isClassName(name) {
                add(
                    .warning, node: entity, field: "className",
                    message: "\"\(name)\" can't be the name of a class.")
            }
            guard !(entity["codeGenerationType"] ?? "").isEmpty else { continue }
            if let other = owners[name] {
                add(
                    .warning, node: entity, field: "className",
                    message:
                        "The class \(name) is generated for \(other) already: a target can't have it twice.")
            }
            owners[name] = owners[name] ?? entity.title
        }
    }

    private static func isClassName(_ name: String) -> Bool {
        guard let first = name.first, first.isLetter || first == "_" else { return false }
        return name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }

    // MARK: Properties

    private mutating func checkTransformer(_ attribute: ModelNode, in owner: ModelNode) {
        let name = attribute["valueTransformerName"] ?? ""
        guard ["", "NSKeyedUnarchiveFromData", "NSUnarchiveFromData"].contains(name) else { return }
        add(
            .warning, node: attribute, field: "valueTransformerName",
            message: (name.isEmpty ? "There is no value transformer" : "\(name) isn't secure")
                + ": archives could hold objects of any class. Use NSSecureUnarchiveFromData or a subclass's name.",
            in: owner)
    }

    private mutating func checkMissingInverse(of relationship: ModelNode, in owner: ModelNode) {
        let destination = relationship["destinationEntity"] ?? ""
        guard (relationship["inverseName"] ?? "").isEmpty, family.entity(destination) != nil else { return }
        let consequence =
            relationship.isToMany
            ? "a \(destination) can be in this relationship of one \(owner.title) only"
            : "who deletes a \(destination) leaves this relationship as it is"
        add(
            .warning, node: relationship, field: "inverseName",
            message: "The relationship has no inverse, which is an advanced setting: \(consequence).",
            in: owner)
        if relationship["deletionRule"] == "Nullify" {
            add(
                .note, node: relationship, field: "deletionRule",
                message: "Without an inverse Nullify has nothing to empty.", in: owner)
        } else if relationship["deletionRule"] == "Cascade", !relationship.isToMany {
            add(
                .note, node: relationship, field: "deletionRule",
                message: "Without an inverse Cascade also deletes a \(destination) that others name still.",
                in: owner)
        }
    }
}
