// The results of a fetch, kept up to date.

public import Foundation
public import Observation

/// The results of a fetch, which follow every change: of their context, of others of its container, and of other processes.
///
/// Reading `results` or `sections` in `withObservationTracking` is tracked; results are fetched anew when they are read after
/// a change. `Never` is the type of sections' names where there are none:
///
/// ```swift
/// let books = try ResultsObserver<Book, Never>(sortBy: [SortDescriptor(\.title)], modelContext: context)
/// ```
///
/// The observer belongs to the isolation of its context. A fetch that fails after the first one leaves the last results, and
/// `fetchError` tells why.
public final class ResultsObserver<Element: PersistentModel, SectionName: Hashable>: Observable {
    /// The context that the results live in.
    public let modelContext: ModelContext
    /// The property whose value names the sections; nil without sections.
    public private(set) var sectionBy: PartialKeyPath<Element>?
    /// The error of the last fetch; nil if there was none. An addition.
    public private(set) var fetchError: (any Error)?
    private let sectionName: ((Element) -> SectionName)?
    private let signal: StoreChangeSignal
    private let notifications: StoreNotifications
    private var descriptor: FetchDescriptor<Element>
    private var fetched: [Element] = []
    private var grouped: ResultsSectionCollection<Element, SectionName>?
    /// The number of changes that the results know of.
    private var known = 0

    init(
        _ descriptor: FetchDescriptor<Element>, _ context: ModelContext, sectionBy: PartialKeyPath<Element>?,
        name: ((Element) -> SectionName)?
    ) throws {
        let signal = StoreChangeSignal()
        self.signal = signal
        modelContext = context
        self.descriptor = descriptor
        self.sectionBy = sectionBy
        sectionName = name
        notifications = StoreNotifications(context.container.coordinator, context: context.managed) {
            [weak signal] in signal?.announce()
        }
        try fetch()
    }

    /// The fetch; setting it fetches anew.
    public var fetchDescriptor: FetchDescriptor<Element> {
        get { descriptor }
        set {
            descriptor = newValue
            signal.announce()
        }
    }

    /// The condition of the fetch.
    public var filterBy: Predicate<Element>? {
        get { descriptor.predicate }
        set { fetchDescriptor.predicate = newValue }
    }

    /// The order of the results.
    public var sortBy: [SortDescriptor<Element>] {
        get { descriptor.sortBy }
        set { fetchDescriptor.sortBy = newValue }
    }

    /// The results now.
    public var results: FetchResultsCollection<Element> {
        refresh()
        return FetchResultsCollection(fetched)
    }

    /// The sections of the results; nil without sections.
    public var sections: ResultsSectionCollection<Element, SectionName>? {
        refresh()
        return grouped
    }

    /// Returns the result of a section (0 without sections) and a place in it; nil if there is none.
    public func element(at indexPath: IndexPath) -> Element? {
        guard indexPath.count == 2 else { return nil }
        refresh()
        let (section, item) = (indexPath[0], indexPath[1])
        guard let grouped else { return section == 0 && fetched.indices.contains(item) ? fetched[item] : nil }
        guard grouped.indices.contains(section), grouped[section].indices.contains(item) else { return nil }
        return grouped[section][item]
    }

    /// Returns the section (0 without sections) and the place in it of a result; nil if it is none.
    public func indexPath(for element: Element) -> IndexPath? {
        refresh()
        guard let grouped else { return fetched.firstIndex(of: element).map { IndexPath(indexes: [0, $0]) } }
        return grouped.place(of: element).map { IndexPath(indexes: [$0.section, $0.item]) }
    }

    // MARK: Fetching

    private func refresh() {
        // Changes that the context hasn't announced yet are, before they are counted.
        modelContext.processPendingChanges()
        if signal.count == known { return }
        do {
            try fetch()
            fetchError = nil
        } catch {
            fetchError = error
        }
    }

    private func fetch() throws {
        modelContext.processPendingChanges()
        known = signal.untrackedCount
        fetched = try modelContext.fetch(descriptor)
        grouped = sectionName.map { ResultsSectionCollection(fetched, by: $0) }
    }
}

extension ResultsObserver where SectionName == Never {
    /// Observes the results of a descriptor in a context.
    ///
    /// - Parameters:
    ///   - fetchDescriptor: the fetch.
    ///   - modelContext: the context that the results live in.
    ///   - isolation: the actor that the context belongs to.
    /// - Throws: the error of the first fetch.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element>, modelContext: ModelContext,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(fetchDescriptor, modelContext, sectionBy: nil, name: nil)
    }

    /// Observes the results of a descriptor in a new context of a container.
    ///
    /// - Parameters:
    ///   - fetchDescriptor: the fetch.
    ///   - modelContainer: the container.
    ///   - isolation: the actor that the observer belongs to.
    /// - Throws: the error of the first fetch.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element>, modelContainer: ModelContainer,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(fetchDescriptor, ModelContext(modelContainer), sectionBy: nil, name: nil)
    }

    /// Observes the models of a condition in a context.
    ///
    /// - Parameters:
    ///   - filterBy: the condition; nil for all models.
    ///   - sortBy: the order.
    ///   - modelContext: the context that the results live in.
    ///   - isolation: the actor that the context belongs to.
    /// - Throws: the error of the first fetch.
    public convenience init(
        filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil,
        modelContext: ModelContext,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(
            FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? []), modelContext, sectionBy: nil,
            name: nil)
    }

    /// Observes the models of a condition in a new context of a container.
    ///
    /// - Parameters:
    ///   - filterBy: the condition; nil for all models.
    ///   - sortBy: the order.
    ///   - modelContainer: the container.
    ///   - isolation: the actor that the observer belongs to.
    /// - Throws: the error of the first fetch.
    public convenience init(
        filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil,
        modelContainer: ModelContainer,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(
            FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? []), ModelContext(modelContainer),
            sectionBy: nil, name: nil)
    }
}
