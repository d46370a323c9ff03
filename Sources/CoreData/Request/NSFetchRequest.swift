// A fetch request.

import CoreDataSupport
public import Foundation

/// What is to be fetched, in which order and how much of it.
open class NSFetchRequest<ResultType: NSFetchRequestResult>: NSPersistentStoreRequest, NSCoding {
    /// Everything that the request says.
    final var fields: FetchRequestFields { willSet { assertMutable() } }
    private var isFrozen = false

    open override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

    /// A request that says nothing yet; it needs an entity.
    public override init() {
        FoundationCompounds.repair()
        fields = FetchRequestFields()
        super.init()
        _ = ArchivedFetchRequest.isRegistered
    }

    /// A request for the entity of that name in the model of whichever context executes it.
    public convenience init(entityName: String) {
        self.init()
        fields.name = entityName
    }

    /// A request that says what another says, whatever that one returns.
    init(fields: FetchRequestFields) {
        self.fields = fields
        super.init()
    }

    /// Reads an archived request. It knows its entity by name.
    public required init?(coder: NSCoder) {
        guard let fields = FetchRequestFields(coder: coder) else { return nil }
        self.fields = fields
        super.init()
    }

    /// Archives the request. Unarchived, it is a `NSFetchRequest<any NSFetchRequestResult>`, which
    /// `returning(_:)` turns into one of another type.
    open func encode(with coder: NSCoder) {
        fields.encode(with: coder)
    }

    open override var classForCoder: AnyClass {
        _ = ArchivedFetchRequest.isRegistered
        return ArchivedFetchRequest.self
    }

    /// A copy that can be changed, even of a model's template.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = Self.makeByMetatype()
        copy.fields = fields
        copy.affectedStores = affectedStores
        return copy
    }

    /// Makes the request unchangeable, as part of a model in use.
    final func freeze() {
        isFrozen = true
    }

    private func assertMutable() {
        if isFrozen {
            raise(.internalInconsistency, "Can't modify a named fetch request in an immutable model.")
        }
    }
}

extension NSFetchRequest: FetchRequestWithFields {}
