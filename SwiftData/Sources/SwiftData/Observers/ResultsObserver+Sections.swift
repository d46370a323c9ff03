// Observers with sections.

public import Foundation

extension ResultsObserver where SectionName == String {
    /// Observes the results of a descriptor in a context, in sections.
    ///
    /// - Parameters:
    ///   - fetchDescriptor: the fetch.
    ///   - sectionBy: the property whose value names the sections.
    ///   - modelContext: the context that the results live in.
    ///   - isolation: the actor that the observer belongs to.
    /// - Throws: the error of the first fetch.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element>, sectionBy: KeyPath<Element, String>,
        modelContext: ModelContext,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(fetchDescriptor, modelContext, sectionBy: sectionBy) { $0[keyPath: sectionBy] }
    }

    /// Observes the results of a descriptor in a new context of a container, in sections.
    ///
    /// - Parameters:
    ///   - fetchDescriptor: the fetch.
    ///   - sectionBy: the property whose value names the sections.
    ///   - modelContainer: the container.
    ///   - isolation: the actor that the observer belongs to.
    /// - Throws: the error of the first fetch.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element>, sectionBy: KeyPath<Element, String>,
        modelContainer: ModelContainer,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(fetchDescriptor, ModelContext(modelContainer), sectionBy: sectionBy) {
            $0[keyPath: sectionBy]
        }
    }

    /// Observes the models of a condition in a context, in sections.
    ///
    /// - Parameters:
    ///   - filterBy: the condition; nil for all models.
    ///   - sortBy: the order.
    ///   - sectionBy: the property whose value names the sections.
    ///   - modelContext: the context that the results live in.
    ///   - isolation: the actor that the observer belongs to.
    /// - Throws: the error of the first fetch.
    public convenience init(
        filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil,
        sectionBy: KeyPath<Element, String>, modelContext: ModelContext,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(
            FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? []), modelContext, sectionBy: sectionBy
        ) { $0[keyPath: sectionBy] }
    }

    /// Observes the models of a condition in a new context of a container, in sections.
    ///
    /// - Parameters:
    ///   - filterBy: the condition; nil for all models.
    ///   - sortBy: the order.
    ///   - sectionBy: the property whose value names the sections.
    ///   - modelContainer: the container.
    ///   - isolation: the actor that the observer belongs to.
    /// - Throws: the error of the first fetch.
    public convenience init(
        filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil,
        sectionBy: KeyPath<Element, String>, modelContainer: ModelContainer,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(
            FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? []), ModelContext(modelContainer),
            sectionBy: sectionBy
        ) { $0[keyPath: sectionBy] }
    }
}

extension ResultsObserver where SectionName == String? {
    /// Observes the results of a descriptor in a context, in sections.
    ///
    /// - Parameters:
    ///   - fetchDescriptor: the fetch.
    ///   - sectionBy: the property whose value names the sections.
    ///   - modelContext: the context that the results live in.
    ///   - isolation: the actor that the observer belongs to.
    /// - Throws: the error of the first fetch.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element>, sectionBy: KeyPath<Element, String?>,
        modelContext: ModelContext,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(fetchDescriptor, modelContext, sectionBy: sectionBy) { $0[keyPath: sectionBy] }
    }

    /// Observes the results of a descriptor in a new context of a container, in sections.
    ///
    /// - Parameters:
    ///   - fetchDescriptor: the fetch.
    ///   - sectionBy: the property whose value names the sections.
    ///   - modelContainer: the container.
    ///   - isolation: the actor that the observer belongs to.
    /// - Throws: the error of the first fetch.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element>, sectionBy: KeyPath<Element, String?>,
        modelContainer: ModelContainer,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(fetchDescriptor, ModelContext(modelContainer), sectionBy: sectionBy) {
            $0[keyPath: sectionBy]
        }
    }

    /// Observes the models of a condition in a context, in sections.
    ///
    /// - Parameters:
    ///   - filterBy: the condition; nil for all models.
    ///   - sortBy: the order.
    ///   - sectionBy: the property whose value names the sections.
    ///   - modelContext: the context that the results live in.
    ///   - isolation: the actor that the observer belongs to.
    /// - Throws: the error of the first fetch.
    public convenience init(
        filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil,
        sectionBy: KeyPath<Element, String?>, modelContext: ModelContext,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(
            FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? []), modelContext, sectionBy: sectionBy
        ) { $0[keyPath: sectionBy] }
    }

    /// Observes the models of a condition in a new context of a container, in sections.
    ///
    /// - Parameters:
    ///   - filterBy: the condition; nil for all models.
    ///   - sortBy: the order.
    ///   - sectionBy: the property whose value names the sections.
    ///   - modelContainer: the container.
    ///   - isolation: the actor that the observer belongs to.
    /// - Throws: the error of the first fetch.
    public convenience init(
        filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil,
        sectionBy: KeyPath<Element, String?>, modelContainer: ModelContainer,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(
            FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? []), ModelContext(modelContainer),
            sectionBy: sectionBy
        ) { $0[keyPath: sectionBy] }
    }
}
