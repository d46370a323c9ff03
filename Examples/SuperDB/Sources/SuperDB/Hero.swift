// The class of the entity Hero. Its "Codegen" is "Category/Extension": the class is ours, and the plugin adds
// `fetchRequest()`, properties, `addToPowers(_:)` and the others. `Power` is written by the plugin altogether.

import CoreData

/// Somebody with powers.
class Hero: NSManagedObject {
    /// Indicates that the hero was never saved: then there are no values that were.
    var isNew: Bool { committedValues(forKeys: nil).isEmpty }

    /// Full years since the birth date; nil without one. It is in no store, can't be set, and can be asked for by key:
    /// `value(forKey: "age")`.
    var age: Int? { age(on: Date()) }

    func age(on day: Date) -> Int? {
        guard let birthDate else { return nil }
        return Calendar(identifier: .gregorian).dateComponents([.year], from: birthDate, to: day).year
    }

    /// The heroes that the fetched properties of the model find for this hero.
    var reports: [(title: String, heroes: [Hero])] {
        [
            ("Older", olderHeroes), ("Younger", youngerHeroes), ("Same sex", sameSexHeroes),
            ("Opposite sex", oppositeSexHeroes),
        ].map { title, heroes in
            (title, (heroes ?? []).sorted { ($0.name ?? "") < ($1.name ?? "") })
        }
    }

    // Rules that concern several properties are checked here, and when the hero is saved again.
    override func validateForInsert() throws {
        try super.validateForInsert()
        try validateIdentity()
    }

    override func validateForUpdate() throws {
        try super.validateForUpdate()
        try validateIdentity()
    }
}
