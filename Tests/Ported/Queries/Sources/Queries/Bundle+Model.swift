import Foundation

extension Bundle {
    /// The bundle that a class came in.
    static func module(of type: AnyClass) -> Bundle {
        Bundle(for: type)
    }
}
