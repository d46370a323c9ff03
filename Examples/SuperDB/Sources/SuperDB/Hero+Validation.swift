// The rules for a hero. Core Data calls `validate…` for the property of that name before each save, and
// whenever somebody asks `validateValue(_:forKey:)`.

import CoreData

/// The codes of the errors in the domain `Hero.errorDomain`.
enum HeroProblem: Int {
    case nameIsEmpty = 1, nameIsTooLong, notBornYet, tooOld, identityIsNoSecret
}

extension Hero {
    static let errorDomain = "SuperDB.Hero"
    static let longestName = 40
    /// In years.
    static let oldestAge = 150

    /// Names have spaces neither at their beginning nor at their end: a validator may put another value in place.
    func validateName(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
        // Nothing to do for nil: the model says that there must be a name.
        guard let name = value.pointee as? String else { return }
        let trimmed = name.trimmingCharacters(in: .whitespacesAndNewlines)
        if trimmed.isEmpty { throw problem(.nameIsEmpty, "name", name, "A hero needs a name.") }
        if trimmed.count > Self.longestName {
            throw problem(
                .nameIsTooLong, "name", name,
                "“\(trimmed)” is too long: a name has \(Self.longestName) letters at most.")
        }
        if trimmed != name { value.pointee = trimmed as NSString }
    }

    func validateBirthDate(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
        guard let date = value.pointee as? Date else { return }
        if date > Date() {
            throw problem(
                .notBornYet, "birthDate", date, "\(subject) can't be born in the future.")
        }
        let calendar = Calendar(identifier: .gregorian)
        guard let years = calendar.dateComponents([.year], from: date, to: Date()).year else { return }
        if years > Self.oldestAge {
            throw problem(
                .tooOld, "birthDate", date,
                "\(subject) would be \(years) years old: more than \(Self.oldestAge) is too much.")
        }
    }

    func validateIdentity() throws {
        guard let name, let secretIdentity, name == secretIdentity else { return }
        throw problem(
            .identityIsNoSecret, "secretIdentity", secretIdentity,
            "\(name) must not be known as \(secretIdentity): what would be secret about it?")
    }

    /// The subject of a sentence.
    private var subject: String {
        let name = (name ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
        return name.isEmpty ? "A hero" : name
    }

    /// An error as Core Data's own are: with the object, the key and the value.
    private func problem(_ problem: HeroProblem, _ key: String, _ value: Any, _ text: String) -> NSError {
        NSError(
            domain: Self.errorDomain, code: problem.rawValue,
            userInfo: [
                NSLocalizedDescriptionKey: text, NSValidationObjectErrorKey: self,
                NSValidationKeyErrorKey: key, NSValidationValueErrorKey: value,
            ])
    }
}

/// The sentences of an error: its own, or those of all the errors that a save found.
func sentences(_ error: any Error) -> [String] {
    let error = error as NSError
    let details = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error]
    return details.map(\.localizedDescription).sorted()
}
