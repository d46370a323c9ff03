// The classes of a model as Objective-C declares them, for people who read or write such code.

import CoreDataSchema

/// Writes the header of one entity's class.
struct ObjectiveCHeader {
    let entity: EntitySchema
    private let model: ModelSchema

    init(_ entity: EntitySchema, in model: ModelSchema) {
        (self.entity, self.model) = (entity, model)
    }

    var name: String { Self.className(entity) + ".h" }

    var text: String {
        let name = Self.className(entity)
        let parts = [
            "#import <Foundation/Foundation.h>\n#import <CoreData/CoreData.h>\n", imports,
            "NS_ASSUME_NONNULL_BEGIN\n",
            "@interface \(name) : \(parent)\n",
            "+ (NSFetchRequest<\(name) *> *)fetchRequest NS_SWIFT_NAME(fetchRequest());\n",
            entity.properties.map(declaration).joined(separator: "\n") + "\n", "@end\n", accessors,
            "NS_ASSUME_NONNULL_END\n",
        ]
        return parts.filter { !$0.allSatisfy(\.isNewline) }.joined(separator: "\n")
    }

    private var parent: String {
        entity.superentityName.flatMap { named($0) }.map(Self.className) ?? "NSManagedObject"
    }

    /// The parent's header, and the names of the classes that relationships lead to.
    private var imports: String {
        let own = Self.className(entity)
        let others = Set(entity.properties.compactMap { destination($0) } + customClasses).subtracting([
            own, parent,
        ])
        .filter { !$0.hasPrefix("NS") }
        let forward = others.isEmpty ? "" : "@class \(others.sorted().joined(separator: ", "));\n"
        return (parent.hasPrefix("NS") ? "" : "#import \"\(parent).h\"\n") + forward
    }

    private var customClasses: [String] {
        entity.properties.compactMap(\.attribute?.valueClassName)
    }

    private func named(_ name: String) -> EntitySchema? { model.entities.first { $0.name == name } }

    /// The class's name without its module.
    private static func className(_ entity: EntitySchema) -> String {
        entity.className?.split(separator: ".").last.map(String.init) ?? "NSManagedObject"
    }

    private func className(ofEntity name: String) -> String {
        named(name).map(Self.className) ?? "NSManagedObject"
    }

    private func destination(_ property: PropertySchema) -> String? {
        switch property.kind {
        case .attribute: nil
        case .relationship(let traits): className(ofEntity: traits.destinationEntityName)
        case .fetched(let request): className(ofEntity: request.entityName)
        }
    }

    // MARK: Properties

    private func declaration(_ property: PropertySchema) -> String {
        let target = destination(property) ?? ""
        switch property.kind {
        case .attribute(let traits): return attribute(property, traits: traits)
        case .relationship(let traits) where !traits.isToMany:
            return "@property (nullable, nonatomic, retain) \(target) *\(property.name);"
        case .relationship(let traits):
            let type = traits.isOrdered ? "NSOrderedSet" : "NSSet"
            return "@property (nullable, nonatomic, retain) \(type)<\(target) *> *\(property.name);"
        case .fetched:
            return "@property (nullable, nonatomic, readonly) NSArray<\(target) *> *\(property.name);"
        }
    }

    private func attribute(_ property: PropertySchema, traits: AttributeTraits) -> String {
        if traits.usesScalarValueType, let scalar = Self.scalars[traits.type] {
            return "@property (nonatomic) \(scalar) \(property.name);"
        }
        guard let type = traits.valueClassName ?? traits.type.valueClassName else {
            return "@property (nullable, nonatomic, retain) id \(property.name);"
        }
        let isCopied = [.string, .date, .uuid, .uri, .composite].contains(traits.type)
        return "@property (nullable, nonatomic, \(isCopied ? "copy" : "retain")) \(type) *\(property.name);"
    }

    private static let scalars: [AttributeType: String] = [
        .integer16: "int16_t", .integer32: "int32_t", .integer64: "int64_t", .double: "double",
        .float: "float", .boolean: "BOOL", .date: "NSTimeInterval",
    ]

    // MARK: To-many relationships

    private var accessors: String {
        let groups = entity.properties.compactMap { property in
            property.relationship.flatMap { $0.isToMany ? members(property.name, traits: $0) : nil }
        }
        if groups.isEmpty { return "" }
        let head = "@interface \(Self.className(entity)) (CoreDataGeneratedAccessors)\n\n"
        return head + groups.joined(separator: "\n") + "\n@end\n"
    }

    private func members(_ name: String, traits: RelationshipTraits) -> String {
        let target = className(ofEntity: traits.destinationEntityName)
        let capital = name.prefix(1).uppercased() + name.dropFirst()
        let set = "\(traits.isOrdered ? "NSOrderedSet" : "NSSet")<\(target) *> *"
        let ordered =
            traits.isOrdered
            ? """
            - (void)insertObject:(\(target) *)value in\(capital)AtIndex:(NSUInteger)index;
            - (void)removeObjectFrom\(capital)AtIndex:(NSUInteger)index;
            - (void)insert\(capital):(NSArray<\(target) *> *)values atIndexes:(NSIndexSet *)indexes;
            - (void)remove\(capital)AtIndexes:(NSIndexSet *)indexes;
            - (void)replaceObjectIn\(capital)AtIndex:(NSUInteger)index withObject:(\(target) *)value;
            - (void)replace\(capital)AtIndexes:(NSIndexSet *)indexes with\(capital):(NSArray<\(target) *> *)values;

            """ : ""
        return ordered + """
            - (void)add\(capital)Object:(\(target) *)value;
            - (void)remove\(capital)Object:(\(target) *)value;
            - (void)add\(capital):(\(set))values;
            - (void)remove\(capital):(\(set))values;

            """
    }
}

extension ModelPreview {
    /// The headers of the entities' classes; of plain `NSManagedObject` there is none.
    package static func headers(of root: ModelNode) throws -> [ModelPreview] {
        let model = try root.schema()
        return model.entities.filter { $0.className.map { $0 != "NSManagedObject" } ?? false }.map { entity in
            let header = ObjectiveCHeader(entity, in: model)
            return ModelPreview(name: header.name, text: header.text)
        }
    }
}
