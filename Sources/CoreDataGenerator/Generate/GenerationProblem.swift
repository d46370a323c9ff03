// A problem of a model, in the words and the form of a compiler.

import CoreDataFiles
import CoreDataSchema
import Foundation

/// A mistake or a doubt about a model or about the code that is to be made of it.
public struct GenerationProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The severity of a problem. Code is generated despite warnings.
    public enum Severity: String, Sendable, Hashable {
        /// Nothing is generated.
        case error
        /// Code is generated, but may not be what is meant.
        case warning
    }

    /// The severity of the problem: an error or a warning.
    public var severity: Severity
    /// Path of the file that has to be changed.
    public var file: String
    /// The entity that it is about, if it is about one.
    public var entity: String?
    /// The property that it is about, if it is about one.
    public var property: String?
    /// The problem, in a sentence.
    public var message: String

    /// A problem with its place.
    ///
    /// - Parameters:
    ///   - severity: whether it is an error or a warning.
    ///   - file: the model's file.
    ///   - entity: the entity, if it is about one.
    ///   - property: the property, if it is about one.
    ///   - message: what is wrong, in a sentence.
    public init(
        _ severity: Severity, file: String, entity: String? = nil, property: String? = nil, message: String
    ) {
        self.severity = severity
        self.file = file
        self.entity = entity
        self.property = property
        self.message = message
    }

    /// `path: error: entity X, property Y: message`, which build systems understand.
    public var description: String {
        let place = [entity.map { "entity \($0)" }, property.map { "property \($0)" }].compactMap(\.self)
        let prefix = place.isEmpty ? "" : place.joined(separator: ", ") + ": "
        return "\(file): \(severity.rawValue): \(prefix)\(message)"
    }
}

extension GenerationProblem {
    init(_ problem: ModelProblem, file: String) {
        self.init(
            problem.severity == .error ? .error : .warning, file: file, entity: problem.entity,
            property: problem.property, message: problem.message)
    }

    init(_ flaw: ModelFlaw, file: String) {
        self.init(
            .error, file: file, entity: flaw.entity, property: flaw.property, message: flaw.sourceReason)
    }

    /// Any failure to read or write a file.
    init(_ error: any Error, file: URL) {
        switch error {
        case let error as GenerationProblem: self = error
        case let error as ModelFileError:
            self.init(
                .error, file: error.file.isEmpty ? file.path : error.file, entity: error.entity,
                property: error.property, message: error.reason)
        case let error as CocoaError: self.init(.error, file: file.path, message: error.localizedDescription)
        default: self.init(.error, file: file.path, message: "\(error)")
        }
    }
}
