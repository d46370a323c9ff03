// A rule that the model can't state: some words have no place in a catalogue.

import CoreData

/// Words that nobody should read in a catalogue.
enum InappropriateWords {
    static let all: Set<String> = ["junk", "shoddy", "worthless"]

    /// The first such word of a text, as it is written there.
    static func first(in text: String) -> String? {
        text.split { !$0.isLetter }.map(String.init).first { all.contains($0.lowercased()) }
    }
}

extension Product {
    static let errorDomain = "Catalogue.Product"
    static let inappropriateWord = 1

    /// Core Data calls a method of this name for each property before saves and for `validateValue(_:forKey:)`, and
    /// checks the model's rules as well.
    func validateName(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
        try checkWords(value.pointee, "name")
    }

    func validateDetails(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
        try checkWords(value.pointee, "details")
    }

    private func checkWords(_ value: AnyObject?, _ key: String) throws {
        guard let text = value as? String, let word = InappropriateWords.first(in: text) else { return }
        throw NSError(
            domain: Self.errorDomain, code: Self.inappropriateWord,
            userInfo: [
                NSLocalizedDescriptionKey: "“\(word)” is no word for the \(key) of a product.",
                NSValidationObjectErrorKey: self, NSValidationKeyErrorKey: key,
                NSValidationValueErrorKey: text,
            ])
    }
}

/// The sentences of an error: its own, or those of all the errors that a save found.
func sentences(_ error: any Error) -> [String] {
    let error = error as NSError
    let details = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error]
    return details.map(\.localizedDescription).sorted()
}
