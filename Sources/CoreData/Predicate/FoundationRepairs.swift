// Classes of Foundation's that answer wrongly off Apple's systems, and that a program meets without this library's making them.
//
// NSCompoundPredicate   its `predicateFormat` is "FALSEPREDICATE", any two are equal, and a copy is a false predicate. Files that
//                       import both modules make objects of this class.
// NSDecimalNumber       its `hash` calls itself without end, so that a set of decimals ends the process: key-value coding
//                       makes one of a decimal attribute of related objects.

import CSwiftRuntime
import CoreDataPredicate
import CoreDataSupport
import Foundation

/// Puts right what Foundation's classes answer.
///
/// A call of a method that subclasses may override goes through the table of methods in the class's metadata, which is
/// ordinary data of the process. A subclass's table has the same places, so each place in which the methods below differ
/// from Foundation's is known from the two tables, and no place needs to be a constant here. Nothing is done where that
/// isn't so.
enum FoundationRepairs {
    /// Done once, before the first predicate, request or model of this library is made. Later calls cost a load.
    @inline(__always)
    static func make() { _ = made }

    private static let made: Bool = {
        let compounds = replace(
            [
                (predicateFormatMethod(), predicateDescriptor()),
                (predicateCopyMethod(), predicateDescriptor()),
                (objectIsEqualMethod(), objectDescriptor()), (objectHashMethod(), objectDescriptor()),
                (objectDescriptionMethod(), objectDescriptor()),
            ], of: NSCompoundPredicate.self, by: RepairedCompound.self)
        let decimals = replace(
            [(objectHashMethod(), objectDescriptor())], of: NSDecimalNumber.self, by: RepairedDecimal.self)
        return compounds && decimals
    }()

    /// Replaces methods, given with the class that declares each, by those of a subclass. Returns `true` if all were.
    private static func replace(
        _ methods: [(method: UnsafeRawPointer, owner: UnsafeRawPointer)], of type: AnyClass,
        by subclass: AnyClass
    ) -> Bool {
        let (theirs, ours) = (table(type), table(subclass))
        var replaced = 0
        for (method, owner) in methods {
            let wanted = UInt(
                bitPattern: swift_lookUpClassMethod(UnsafeRawPointer(ours.start), method, owner))
            guard let place = (0..<theirs.count).first(where: { ours.start[$0] == wanted }),
                theirs.start[place] != ours.start[place]
            else { continue }
            // A word that other threads may read at the same time; both of its values are right to call.
            theirs.start[place] = ours.start[place]
            replaced += 1
        }
        return replaced == methods.count
    }

    /// The words of a class's metadata from its address on. The words at 32 and 36 bytes are the size of the whole and the
    /// offset of the address in it.
    private static func table(_ type: AnyClass) -> (start: UnsafeMutablePointer<UInt>, count: Int) {
        let address = unsafeBitCast(type, to: UnsafeMutableRawPointer.self)
        let size = address.load(fromByteOffset: 32, as: UInt32.self)
        let offset = address.load(fromByteOffset: 36, as: UInt32.self)
        return (address.assumingMemoryBound(to: UInt.self), Int(size - offset) / 8)
    }
}

/// The class whose methods Foundation's class gets. They are called for objects of that class, so they may
/// use nothing of this one.
private final class RepairedCompound: NSCompoundPredicate {
    override var predicateFormat: String { treeOfParts.format }
    override var description: String { treeOfParts.format }
    override func isEqual(_ object: Any?) -> Bool { hasTree(of: object) }
    override var hash: Int { treeOfParts.canonical.hashValue }

    override func copy(with zone: NSZone? = nil) -> Any {
        NSCompoundPredicate(type: compoundPredicateType, subpredicates: subpredicates)
    }
}

/// The same for decimals. Nobody makes one of this class.
private final class RepairedDecimal: NSDecimalNumber, @unchecked Sendable {
    /// The hash of an equal number of another kind; Foundation compares decimals by their nearest floating-point numbers.
    override var hash: Int { NSNumber(value: doubleValue).hash }

    required init(bytes buffer: UnsafeRawPointer, objCType type: UnsafePointer<CChar>) {
        super.init(decimal: 0)
    }

    required init?(coder: NSCoder) { super.init(coder: coder) }
    required init(integerLiteral value: Int) { super.init(decimal: Decimal(value)) }
    required init(floatLiteral value: Double) { super.init(decimal: Decimal(value)) }
    required init(booleanLiteral value: Bool) { super.init(decimal: value ? 1 : 0) }
}
