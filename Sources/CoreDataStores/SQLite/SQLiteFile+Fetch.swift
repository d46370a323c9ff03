// Fetches: rows, keys and related rows.

import CoreDataPredicate
package import CoreDataSQL
import CoreDataSQLiteEngine
package import CoreDataSchema
import CoreDataSupport
import Foundation

extension SQLiteFile {
    // MARK: Rows

    package func fetchRows(_ fetch: StoreFetch, body: (RowSlab) throws -> Void) throws {
        let decoder = try decoder(fetch.entity)
        let statement = try statement(fetch, result: .rows(columns: decoder.columns))
        try engine.fetchRows(statement, decoder: decoder, limit: fetch.limit, into: body)
    }

    package func fetchKeys(_ fetch: StoreFetch) throws -> StoreKeys {
        let isPolymorphic = try table(fetch.entity).isPolymorphic
        let found = try engine.fetchKeys(statement(fetch, result: .keys), isPolymorphic: isPolymorphic)
        var keys = StoreKeys(primaryKeys: found.primaryKeys, entities: nil, entity: fetch.entity.number)
        if isPolymorphic && fetch.entity.subtree.count > 1 {
            let fallback = Int32(fetch.entity.number)
            keys.entities = ContiguousArray(
                found.entityNumbers.map { entities[Int($0)].map { Int32($0.number) } ?? fallback })
        }
        // SQLite takes keys from the narrowest index, in whose order their rows lie all over the table: each batch that is read
        // by key would read pages from everywhere.
        if fetch.sortKeys.isEmpty { keys.sort() }
        return keys
    }

    /// - Parameter areAll: whether the sources are all that there are. Many of them are then read in the order in which
    ///   the rows lie in the file, instead of being looked up.
    package func fetchRelated(
        _ relation: RelationRuntime, of entity: EntityRuntime, sources: [Int64], areAll: Bool = false,
        body: (RelatedRows) throws -> Void
    ) throws {
        guard relation.isStored else { return }
        if let source = sources.first, sources.count == 1, !areAll {
            return try fetchMembers(memberRead(relation, of: entity), of: source, body: body)
        }
        let decoder = try decoder(relation.destination(in: model))
        let place = try related(relation, of: entity)
        func fetch(_ text: String, _ bindings: [SQLBinding]) throws {
            try engine.fetchRelated(
                SQLStatement(text, bindings: bindings), decoder: decoder, isOrdered: place.orderColumn != nil
            ) { slab, sources, orderKeys in
                try body(RelatedRows(slab: slab, sources: sources, orderKeys: orderKeys))
            }
        }
        if areAll, sources.count > 100,
            let text = place.wholeSelection(
                columns: decoder.columns, isPolymorphic: decoder.isPolymorphic)
        {
            return try fetch(text, [])
        }
        var rest = sources[...]
        while let last = rest.last {
            // Few sizes, so that few statements are prepared; spare parameters repeat a key.
            let size = [1, 8, 64, 500].first { $0 >= rest.count } ?? 500
            var bindings = rest.prefix(size).map { SQLBinding.integer($0) }
            rest = rest.dropFirst(size)
            while bindings.count < size { bindings.append(.integer(last)) }
            let shape = RelatedShape(entity: entity.number, relation: relation.number, sources: size)
            let text =
                relatedTexts[shape]
                ?? place.selection(
                    columns: decoder.columns, isPolymorphic: decoder.isPolymorphic, sources: size)
            if relatedTexts[shape] == nil { relatedTexts[shape] = text }
            try fetch(text, bindings)
        }
    }
}

extension SQLiteFile {
    /// Reads the members of one row.
    private func fetchMembers(
        _ read: MemberRead, of source: Int64, body: (RelatedRows) throws -> Void
    ) throws {
        try engine.fetchRelated(
            SQLStatement(read.text, bindings: [.integer(source)]), decoder: read.decoder,
            isOrdered: read.isOrdered
        ) { slab, sources, orderKeys in
            try body(RelatedRows(slab: slab, sources: sources, orderKeys: orderKeys))
        }
    }

    private func memberRead(_ relation: RelationRuntime, of entity: EntityRuntime) throws -> MemberRead {
        let shape = RelatedShape(entity: entity.number, relation: relation.number, sources: 1)
        if let known = memberReads[shape] { return known }
        let decoder = try decoder(relation.destination(in: model))
        let place = try related(relation, of: entity)
        let text = place.selection(columns: decoder.columns, isPolymorphic: decoder.isPolymorphic, sources: 1)
        let made = MemberRead(text: text, decoder: decoder, isOrdered: place.orderColumn != nil)
        memberReads[shape] = made
        return made
    }
}

/// The statement that reads the members of one row, worked out once: each object whose members are read asks for it.
final class MemberRead {
    let text: String
    let decoder: RowDecoder
    let isOrdered: Bool

    init(text: String, decoder: RowDecoder, isOrdered: Bool) {
        self.text = text
        self.decoder = decoder
        self.isOrdered = isOrdered
    }
}

/// The facts that a statement over a to-many relationship depends on.
package struct RelatedShape: Hashable {
    /// Numbers of the entity and, in it, of the relationship.
    package let entity: Int
    package let relation: Int
    package let sources: Int
}

extension StoreFetch {
    package func description(_ result: FetchDescription.Result) -> FetchDescription {
        var description = FetchDescription(entityName: entity.name, result: result)
        description.includesSubentities = includesSubentities
        description.predicate = predicate
        description.sortKeys = sortKeys
        description.limit = limit
        description.offset = offset
        return description
    }
}
