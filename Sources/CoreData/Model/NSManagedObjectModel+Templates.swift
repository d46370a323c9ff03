// Fetch requests that a model keeps under names.

import CoreDataPredicate
import CoreDataSupport
import Foundation

extension NSManagedObjectModel {

    final func filledTemplate(
        _ name: String, _ variables: [String: Any]
    ) -> NSFetchRequest<any NSFetchRequestResult>? {
        if templates[name] == nil { return nil }
        do {
            return try fetchRequestFromTemplate(checkingName: name, substitutionVariables: variables)
        } catch {
            raise(
                .invalidArgument, error.localizedDescription,
                instead: "fetchRequestFromTemplate(checkingName:substitutionVariables:)")
        }
    }

    /// Returns a copy of a template with the variables of its predicate filled in. An addition to Apple's
    /// class.
    ///
    /// - Parameters:
    ///   - name: the template's name.
    ///   - variables: a value for each variable of the predicate, by name without `$`.
    /// - Throws: `NSCoreDataError` if there is no template of the name, or a variable has no value.
    public func fetchRequestFromTemplate(
        checkingName name: String, substitutionVariables variables: [String: Any]
    ) throws -> NSFetchRequest<any NSFetchRequestResult> {
        guard let template = templates[name] else {
            throw RequestErrors.wrong("the model has no fetch request template \"\(name)\"")
        }
        let request = NSFetchRequest<any NSFetchRequestResult>(fields: template.fields)
        request.predicate = try template.predicate.map {
            NSPredicate.make(
                try $0.tree.rewriting { expression, bound in
                    guard case .variable(let name) = expression, !bound.contains(name) else { return nil }
                    guard let value = variables[name] else {
                        throw RequestErrors.wrong("the fetch request template needs a value for \"$\(name)\"")
                    }
                    return (value as? NSExpression)?.tree ?? .constant(Value(value))
                })
        }
        return request
    }

}
