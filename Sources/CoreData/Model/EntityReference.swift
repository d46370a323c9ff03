// The reference of properties, indexes and subentities back to an entity.

/// Refers to an entity without owning it, and forgets it when it goes.
///
/// Swift's own weak references would give the entity a side table, and every object that a fetch makes would then
/// pay for it: an initialiser retains the entity that it is handed.
final class EntityReference {
    /// Sound because the entity sets it to nil in its `deinit`; ObjectLifetimeTests watch entities that
    /// outlive their model.
    unowned(unsafe) var entity: NSEntityDescription?
}
