// The file of an XML or binary store that this process doesn't have open.

import Foundation

/// A store's file that is read and replaced as a whole.
package struct WholeFiles<Form: StoreFileForm>: StoreFiles {
    package let location: StoreLocation

    package init(at location: StoreLocation) {
        self.location = location
    }

    package func check() throws { _ = try WholeFileStore<Form>.metadata(at: location.url) }
}
