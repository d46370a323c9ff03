// What the objects of an entity need at run time.

/// What the objects of an entity need at run time. Made once, when the model comes into use.
final class EntityRuntime {}
