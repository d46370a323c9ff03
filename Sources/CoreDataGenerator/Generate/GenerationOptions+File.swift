// Options in a file beside the model, for the build plugin:
//
//   { "access": "internal", "nativeSets": true }

public import Foundation

extension GenerationOptions {
    /// The name of the file, in a target's folder.
    public static let fileName = "coredata-model.json"

    /// Reads options from JSON. The keys are `mode`, `access`, `nativeSets`, `decimal`, `optionalScalars` and
    /// `keepsRequired`; a key that isn't known is an error.
    ///
    /// - Throws: `GenerationFailure` with everything that is wrong.
    public init(contentsOf url: URL) throws(GenerationFailure) {
        self.init()
        do {
            let object = try JSONSerialization.jsonObject(with: Data(contentsOf: url))
            guard let fields = object as? [String: Any] else {
                throw GenerationProblem(.error, file: url.path, message: "it is no object of JSON")
            }
            for (key, value) in fields.sorted(by: { $0.key < $1.key }) {
                try set(key, value: value, file: url.path)
            }
        } catch {
            throw GenerationFailure([GenerationProblem(error, file: url)])
        }
    }

    private mutating func set(_ key: String, value: Any, file: String) throws {
        switch key {
        case "mode": mode = try Self.word(key, value: value, file: file)
        case "access": access = try Self.word(key, value: value, file: file)
        case "nativeSets": usesNativeSets = try Self.flag(key, value: value, file: file)
        case "decimal": usesDecimal = try Self.flag(key, value: value, file: file)
        case "optionalScalars": usesOptionalScalars = try Self.flag(key, value: value, file: file)
        case "keepsRequired": keepsRequired = try Self.flag(key, value: value, file: file)
        default: throw GenerationProblem(.error, file: file, message: "\"\(key)\" is no option")
        }
    }

    private static func word<Word: RawRepresentable & CaseIterable>(
        _ key: String, value: Any, file: String
    ) throws -> Word where Word.RawValue == String {
        if let text = value as? String, let word = Word(rawValue: text) { return word }
        let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
        throw GenerationProblem(.error, file: file, message: "\"\(key)\" must be one of \(words)")
    }

    private static func flag(_ key: String, value: Any, file: String) throws -> Bool {
        if let flag = value as? Bool { return flag }
        throw GenerationProblem(.error, file: file, message: "\"\(key)\" must be true or false")
    }
}
