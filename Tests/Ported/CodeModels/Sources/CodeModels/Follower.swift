import CoreData
import Foundation

/// Tells of the new values of a key until it is released.
public final class Follower: NSObject {
    private static let isExchanged: Bool = {
        let type: AnyClass = Follower.self
        let inherited = class_getInstanceMethod(
            type, #selector(Follower.observeValue(forKeyPath:of:change:context:)))!
        let own = class_getInstanceMethod(type, #selector(Follower.changed(forKeyPath:of:change:context:)))!
        method_exchangeImplementations(inherited, own)
        return true
    }()

    private let object: NSManagedObject
    private let key: String
    private let handler: (Any?) -> Void

    public init(_ object: NSManagedObject, _ key: String, _ handler: @escaping (Any?) -> Void) {
        _ = Follower.isExchanged
        self.object = object
        self.key = key
        self.handler = handler
        super.init()
        object.addObserver(self, forKeyPath: key, options: [.new], context: nil)
    }

    deinit {
        object.removeObserver(self, forKeyPath: key)
    }

    @objc private dynamic func changed(
        forKeyPath keyPath: String?, of object: Any?, change: [NSString: Any]?,
        context: UnsafeMutableRawPointer?
    ) {
        handler(change?[NSKeyValueChangeKey.newKey.rawValue as NSString])
    }
}
