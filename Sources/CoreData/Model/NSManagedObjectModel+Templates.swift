// Fetch requests that a model keeps under names.

import CoreDataSupport
import Foundation

extension NSManagedObjectModel {
    /// The templates by name.
    public var fetchRequestTemplatesByName: [String: NSFetchRequest<any NSFetchRequestResult>] { templates }

    /// The template of that name itself. To fill in its variables or to change it, use
    /// `fetchRequestFromTemplate(withName:substitutionVariables:)` or copy it.
    public func fetchRequestTemplate(forName name: String) -> NSFetchRequest<any NSFetchRequestResult>? {
        templates[name]
    }

    /// Keeps a template under a name; `nil` forgets it.
    public func setFetchRequestTemplate(
        _ fetchRequestTemplate: NSFetchRequest<any NSFetchRequestResult>?, forName name: String
    ) {
        assertMutable()
        templates[name] = fetchRequestTemplate
    }
}
