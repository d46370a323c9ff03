// The document that a source model was read from, for a writer that keeps what the model has no place for.

package import CoreDataSupport

/// A source model's XML and what its reader remarks. No part of the model: models that say the same are equal, however
/// they are spelt.
package final class SourceDocument: Sendable {
    /// `nil` for a source in archived form.
    package let root: XMLTree?
    /// Text that the reader took for something else, or for nothing.
    package let remarks: [ModelProblem]

    package init(_ root: XMLTree? = nil, remarks: [ModelProblem]) {
        self.root = root
        self.remarks = remarks
    }
}
