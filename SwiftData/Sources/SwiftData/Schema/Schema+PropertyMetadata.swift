// The facts that a model class states about itself: properties, unique constraints, indexes.

extension Schema {
    /// A property of a model class, as `schemaMetadata` lists it.
    public struct PropertyMetadata {
        let name: String
        let keypath: AnyKeyPath
        let defaultValue: Any?
        let metadata: (any SchemaProperty)?
        /// A constraint or an index in place of a property.
        var statement: (any ClassStatement)?

        /// A property.
        ///
        /// - Parameters:
        ///   - name: the name.
        ///   - keypath: the key path.
        ///   - defaultValue: the initial value.
        ///   - metadata: the stated options, or nil.
        public init(
            name: String, keypath: AnyKeyPath, defaultValue: Any? = nil, metadata: (any SchemaProperty)? = nil
        ) {
            self.name = name
            self.keypath = keypath
            self.defaultValue = defaultValue
            self.metadata = metadata
        }

        /// Constraints or indexes of the class. Macros write it.
        public init<T: PersistentModel>(_ unique: Unique<T>) {
            self.init(statement: unique, keypath: \T.self)
        }

        /// Indexes of the class. Macros write it.
        public init<T: PersistentModel>(_ index: Index<T>) { self.init(statement: index, keypath: \T.self) }

        private init(statement: any ClassStatement, keypath: AnyKeyPath) {
            self.init(name: "", keypath: keypath)
            self.statement = statement
        }
    }

    /// Properties that no two models of a class have in common, as `#Unique` states them.
    public struct Unique<T: PersistentModel>: ClassStatement {
        /// The keys that an encoded constraint has.
        public enum CodingKeys: String, CodingKey {
            /// The key paths.
            case constraints
        }

        /// The key paths whose values, together, are unique.
        public let constraints: [[PartialKeyPath<T>]]

        /// Constraints.
        public init(_ constraints: [PartialKeyPath<T>]...) { self.constraints = constraints }

        func apply(to entity: Entity) {
            for constraint in constraints { entity.constrain(constraint.map(T.name(of:))) }
        }
    }

    /// Properties by which a store finds models faster, as `#Index` states them.
    public struct Index<T: PersistentModel>: ClassStatement {
        /// The keys that an encoded index has.
        public enum CodingKeys: String, CodingKey {
            /// The indexes.
            case indices
        }

        /// The kinds of indexes.
        public enum Types<P: PersistentModel> {
            /// Sorted by the values.
            case binary([PartialKeyPath<P>])
            /// A tree of rectangles, for ranges of numbers.
            case rtree([PartialKeyPath<P>])
        }

        /// The indexes.
        public let indices: [Types<T>]

        /// Indexes of their kinds.
        public init(_ indices: Types<T>...) { self.indices = indices }

        /// Sorted indexes.
        public init(_ indices: [PartialKeyPath<T>]...) { self.indices = indices.map { .binary($0) } }

        func apply(to entity: Entity) {
            for index in indices {
                switch index {
                case .binary(let paths): entity.indices.append(paths.map(T.name(of:)))
                case .rtree(let paths):
                    let names = paths.map(T.name(of:))
                    entity.indices.append(names)
                    entity.rectangleIndices.append(names)
                }
            }
        }
    }
}

/// A statement of a class about its entity beside its properties.
protocol ClassStatement {
    func apply(to entity: Schema.Entity)
}

/// Returns the declared initial value of a property as one of the property's type. `@Model` writes it.
///
/// - Parameters:
///   - keyPath: the property.
///   - value: makes the value.
public func _initialValue<Root, Value>(_ keyPath: KeyPath<Root, Value>, _ value: () -> Value) -> Any? {
    unwrappedValue(value())
}
