// Index paths with a section and an item, which Foundation leaves to user interface frameworks.

public import Foundation

extension IndexPath {
    /// The path of an item in a section.
    ///
    /// - Parameters:
    ///   - item: the place within the section, from 0.
    ///   - section: the section's place, from 0.
    public init(item: Int, section: Int) {
        self.init(indexes: [section, item])
    }

    /// The path of a row in a section.
    ///
    /// - Parameters:
    ///   - row: the place within the section, from 0.
    ///   - section: the section's place, from 0.
    public init(row: Int, section: Int) {
        self.init(item: row, section: section)
    }

    /// The section: the first index. The path must have one.
    public var section: Int {
        get { self[0] }
        set { self[0] = newValue }
    }

    /// The place in the section: the second index. The path must have one.
    public var item: Int {
        get { self[1] }
        set { self[1] = newValue }
    }

    /// The place in the section, as `item`.
    public var row: Int {
        get { item }
        set { item = newValue }
    }
}
