// Values as arguments of formats. On Apple's systems every object is a `CVarArg`, and so is, by `as`, what bridges to one.

public import Foundation

/// An object or a value as an argument of a format: `"id == %@", id as CVarArg`.
///
/// A predicate gets the value itself, `NSLog` and `String(format:)` its description. Foundation's own conformances stay.
public protocol FormatArgument: _CVarArgObject {}

extension FormatArgument {
    /// The text that a format of C's kind gets.
    public var _cVarArgObject: any CVarArg { NSString(string: String(describing: self)) }
    /// The address that a list of variable arguments holds; asked only of `_cVarArgObject`.
    public var _cVarArgEncoding: [Int] {
        [Int(bitPattern: Unmanaged.passUnretained(self as AnyObject).toOpaque())]
    }
}

extension NSObject: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgument {}
extension Array: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgument {}
extension Data: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgument {}
extension Date: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgument {}
extension Decimal: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgument {}
extension Dictionary: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgument {}
extension Set: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgument {}
extension URL: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgument {}
extension UUID: @retroactive CVarArg, @retroactive _CVarArgObject, FormatArgument {}
