// The names that a model states for a database's tables and columns, in user infos, so that it can be laid over tables that
// exist.

import CoreDataSchema
import CoreDataSupport

/// Keys of user infos. Stores in files take no notice of them.
package enum StatedName: String, CaseIterable, Sendable {
    /// The table of a root entity, or the join table of a to-many relationship.
    case table = "postgreSQLTable"
    /// The column of a root entity's key.
    case key = "postgreSQLKey"
    /// The column of a root entity's version, a number that each update raises.
    case version = "postgreSQLVersion"
    /// The column of an attribute or of a to-one relationship's key; of a to-many relationship the join table's column with the
    /// keys that it leads to, or without an inverse the destination's column with the key of what it leads from.
    case column = "postgreSQLColumn"
    /// The attribute or to-one relationship by which an entity's rows are distributed over several servers.
    case distribution = "postgreSQLDistribution"

    /// The text that a user info has for the key, unless it is empty.
    func text(in userInfo: [Value: Value]) -> String? {
        guard case .string(let text)? = userInfo[.string(rawValue)], !text.isEmpty else { return nil }
        return text
    }
}

extension StoreForm {
    /// The name that a user info states; `nil` for forms that heed none.
    func stated(_ name: StatedName, in userInfo: [Value: Value]?) -> String? {
        heedsStatedNames ? userInfo.flatMap(name.text(in:)) : nil
    }

    func stated(_ address: PropertyAddress, in index: ModelIndex, as name: StatedName = .column) -> String? {
        stated(name, in: index.entity(address.entity)?.propertiesByName[address.property]?.userInfo)
    }

    func table(ofRoot root: String, in index: ModelIndex) -> String {
        stated(.table, in: index.entity(root)?.schema.userInfo) ?? naming.table(ofRoot: root)
    }

    func head(ofRoot root: String, in index: ModelIndex) -> HeadColumns {
        let userInfo = index.entity(root)?.schema.userInfo
        var head = naming.head
        head.key = stated(.key, in: userInfo) ?? head.key
        head.version = stated(.version, in: userInfo) ?? head.version
        return head
    }
}

extension StoreBlueprint {
    /// Indicates whether the model states a name of a table, so that the table may be there already.
    package var statesTables: Bool {
        index.entityNames.contains { name in
            guard let entity = index.entity(name)?.schema else { return false }
            return form.stated(.table, in: entity.userInfo) != nil
                || entity.properties.contains { form.stated(.table, in: $0.userInfo) != nil }
        }
    }

    /// Indicates whether the model states the name of a root entity's table.
    func isStated(_ table: TableShape) -> Bool {
        form.stated(.table, in: index.entity(table.rootName)?.schema.userInfo) != nil
    }

    /// Indicates whether the model states the name of a join table.
    func isStated(_ join: JoinShape) -> Bool {
        [join.owner, join.inverse].contains { form.stated($0, in: index, as: .table) != nil }
    }
}
