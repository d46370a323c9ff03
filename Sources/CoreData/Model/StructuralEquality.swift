// Descriptions are equal when they say the same.

import CoreDataSchema

extension NSEntityDescription {
    func isStructurallyEqual(to other: NSEntityDescription) -> Bool {
        name == other.name && EntitySchema(self).normalized == EntitySchema(other).normalized
    }
}

extension NSPropertyDescription {
    func isStructurallyEqual(to other: NSPropertyDescription) -> Bool {
        guard name == other.name else { return false }
        if let left = self as? NSExpressionDescription, let right = other as? NSExpressionDescription {
            return left.expressionResultType == right.expressionResultType
                && left.expression?.tree == right.expression?.tree
        }
        guard isKindOfEntityProperty, other.isKindOfEntityProperty else { return false }
        return PropertySchema(self) == PropertySchema(other)
    }
}

extension NSFetchIndexDescription {
    func isStructurallyEqual(to other: NSFetchIndexDescription) -> Bool {
        FetchIndexSchema(self) == FetchIndexSchema(other)
    }
}

extension NSFetchIndexElementDescription {
    func isStructurallyEqual(to other: NSFetchIndexElementDescription) -> Bool {
        FetchIndexElementSchema(self) == FetchIndexElementSchema(other)
    }
}
