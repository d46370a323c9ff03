// The actions that an app offers for objects.

public import CoreData

/// Something that an app does with objects that a person selects in the studio.
public struct StudioObjectAction: Sendable {
    /// The words on the button, which no other action of the entity has.
    public let name: String
    /// The entity whose objects, and those of its subentities, it is for.
    public let entity: String
    /// The question that the person answers first, if any.
    public let question: String?
    let run: @Sendable ([NSManagedObject]) throws -> String?

    /// An action on objects.
    ///
    /// Its changes are unsaved then, as one step that can be undone. If it throws, or leaves an object in a state that
    /// breaks a rule of validation, nothing is changed, and the person reads the error.
    ///
    /// - Parameters:
    ///   - name: the words on the button.
    ///   - entity: the name of the entity whose objects it is for.
    ///   - question: a question that the person answers first.
    ///   - run: does it, on the queue of the objects' context, without saving. Returns a sentence for the person, or nil.
    public init(
        _ name: String, of entity: String, question: String? = nil,
        run: @escaping @Sendable ([NSManagedObject]) throws -> String?
    ) {
        self.name = name
        self.entity = entity
        self.question = question
        self.run = run
    }
}
