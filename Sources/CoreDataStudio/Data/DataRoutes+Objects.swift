// Routes to objects: read, made, changed, deleted.

import CoreData
import StoreTools

extension DataRoutes {
    private struct Insertion: Codable, Sendable {
        var entity: String
        var values: [String: StudioValue]?
    }

    private struct Setting: Codable, Sendable {
        var key: String
        var value: StudioValue
    }

    /// One value for several objects.
    private struct Settings: Codable, Sendable {
        var ids: [String]
        var key: String
        var value: StudioValue
    }

    private struct Membership: Codable, Sendable {
        struct Move: Codable, Sendable {
            /// The member itself, which somebody else may have moved meanwhile; none for one that may not be read.
            var id: String?
            var from: Int
            var to: Int
        }

        var key: String
        var add: [String]?
        var remove: [String]?
        var move: Move?
    }

    private struct Names: Codable, Sendable {
        var ids: [String]
    }

    static let objectActions: [StudioAction] = [.read, .insert, .update, .delete]

    func addObjects(to routes: inout StudioRoutes) {
        addReading(to: &routes)
        addMemberRows(to: &routes)
        routes.post("data/objects") { call in
            let insertion = try call.body(Insertion.self)
            let grants = await Grants(Self.objectActions, call: call)
            return try await call.workspace.editObject("Add \(insertion.entity)", grants: grants) {
                workspace in
                try workspace.insert(insertion.entity, values: insertion.values ?? [:], grants: grants)
            }
        }
        routes.post("data/objects/:entity/:number") { call in
            let name = try call.objectName
            let setting = try call.body(Setting.self)
            let grants = await Grants(Self.objectActions, call: call)
            return try await call.workspace.editObject("Change \(setting.key)", grants: grants) { workspace in
                let object = try workspace.object(name)
                try workspace.set(setting.key, input: setting.value, of: object, grants: grants)
                return object
            }
        }
        routes.post("data/values") { call in
            let setting = try call.body(Settings.self)
            let grants = await Grants(Self.objectActions, call: call)
            let title = "Change \(setting.key) of \(setting.ids.count) objects"
            return try await call.workspace.edit(title) { workspace -> StudioValue in
                let wrong = try workspace.set(
                    setting.key, input: setting.value, ofAll: setting.ids, grants: grants)
                return ["problems": .texts(wrong), "status": workspace.status]
            }
        }
        addRelated(to: &routes)
        addDeletion(to: &routes)
    }

    private func addRelated(to routes: inout StudioRoutes) {
        routes.post("data/objects/:entity/:number/members") { call in
            let name = try call.objectName
            let change = try call.body(Membership.self)
            let grants = await Grants(Self.objectActions, call: call)
            return try await call.workspace.editObject("Change \(change.key)", grants: grants) { workspace in
                let object = try workspace.object(name)
                try workspace.change(
                    change.key, of: object, add: change.add ?? [], remove: change.remove ?? [],
                    move: change.move.map { MemberMove(name: $0.id, from: $0.from, to: $0.to) },
                    grants: grants)
                return object
            }
        }
        routes.post("data/objects/:entity/:number/bytes/:key") { call in
            let name = try call.objectName
            let key = try call.parameter("key")
            let data = call.request.body
            let grants = await Grants(Self.objectActions, call: call)
            return try await call.workspace.editObject("Change \(key)", grants: grants) { workspace in
                let object = try workspace.object(name)
                try workspace.setBytes(data, key: key, of: object, grants: grants)
                return object
            }
        }
    }

    private func addReading(to routes: inout StudioRoutes) {
        routes.get("data/objects/:entity/:number") { call in
            let name = try call.objectName
            let grants = await Grants(Self.objectActions, call: call)
            return try await call.workspace.act("Open \(name)") {
                try $0.page($0.object(name), grants: grants)
            }
        }
        routes.get("data/objects/:entity/:number/members/:key") { call in
            try await Self.members(call) { workspace, object, key, window, grants in
                try workspace.memberPage(
                    object, key: key, offset: window.offset, limit: window.limit, grants: grants)
            }
        }
        routes.get("data/objects/:entity/:number/report/:key") { call in
            let name = try call.objectName
            let key = try call.parameter("key")
            let grants = await Grants([.read], call: call)
            return try await call.workspace.act("Report \(key) of \(name)") { workspace in
                try workspace.report(workspace.object(name), key: key, limit: 200, grants: grants)
            }
        }
        routes.get("data/objects/:entity/:number/bytes/:key") { call -> StudioResponse in
            let name = try call.objectName
            let key = try call.parameter("key")
            let grants = await Grants([.read], call: call)
            let data = try await call.workspace.run { workspace -> Data? in
                let object = try workspace.object(name)
                try grants.require(.read, entity: object.entity)
                return workspace.bytes(try workspace.attribute(key, of: object), of: object)
            }
            guard let data else { throw StudioProblem(status: 404, "“\(key)” has no value.") }
            return Self.bytes(data, name: name, key: key, isShown: call.optionalText("show") != nil)
        }
    }

    private func addMemberRows(to routes: inout StudioRoutes) {
        routes.get("data/objects/:entity/:number/rows/:key") { call in
            try await Self.members(call) { workspace, object, key, window, grants in
                try workspace.memberRows(
                    object, key: key, offset: window.offset, limit: window.limit, grants: grants)
            }
        }
    }

    /// Answers with a part of a relationship's members, as the call asks for it.
    private static func members(
        _ call: StudioCall,
        page:
            @escaping @Sendable (
                DataWorkspace, NSManagedObject, _ key: String, _ window: (offset: Int, limit: Int), Grants
            ) throws -> StudioValue
    ) async throws -> StudioValue {
        let name = try call.objectName
        let key = try call.parameter("key")
        let offset = try call.number("offset", default: 0, in: 0...Int(Int32.max))
        let limit = try call.number("limit", default: 50, in: 1...500)
        let grants = await Grants([.read], call: call)
        return try await call.workspace.act("Read \(key) of \(name)") { workspace in
            try page(workspace, workspace.object(name), key, (offset, limit), grants)
        }
    }

    /// Images may be shown in a page; everything else is only ever a download.
    private static func bytes(_ data: Data, name: String, key: String, isShown: Bool) -> StudioResponse {
        let type = ByteSignature.type(of: data)
        if isShown, let type, type.hasPrefix("image/") {
            return StudioResponse(
                status: 200, headers: ["Content-Type": type, "Cache-Control": "no-store"], body: data)
        }
        let ending = type.map { "." + ($0.split(separator: "/").last.map(String.init) ?? "bin") } ?? ".bin"
        return .download(data, name: name.replacingOccurrences(of: "/", with: "-") + "-" + key + ending)
    }

    private func addDeletion(to routes: inout StudioRoutes) {
        routes.post("data/deletions/preview") { call in
            let ids = try StudioProblem.bounded(call.body(Names.self).ids)
            let grants = await Grants(Self.objectActions, call: call)
            return try await DeletionPreview.make(ids, in: call.workspace, grants: grants).value
        }
        routes.post("data/deletions") { call in
            let ids = try StudioProblem.bounded(call.body(Names.self).ids)
            let workspace = try call.workspace
            let grants = await Grants(Self.objectActions, call: call)
            // Objects that are deleted with them must be allowed as well.
            let preview = try await DeletionPreview.make(ids, in: workspace, grants: grants)
            for name in preview.entities { try await call.allow(.delete, entity: name) }
            if preview.isDenied {
                throw StudioProblem(status: 409, "A relationship denies the deletion.")
            }
            let title = ids.count == 1 ? "Delete \(ids[0])" : "Delete \(ids.count) objects"
            return try await workspace.edit(title) { workspace in
                try workspace.delete(ids.map(workspace.object), grants: grants)
                return workspace.status
            }
        }
    }
}

extension DataWorkspace {
    /// Returns the contents of an attribute's download: bytes as they are, texts whole.
    func bytes(_ attribute: NSAttributeDescription, of object: NSManagedObject) -> Data? {
        if attribute.attributeType == .transformableAttributeType {
            return object.storedData(forKey: attribute.name)
        }
        switch object.value(forKey: attribute.name) {
        case let data as Data: return data
        case let text as String: return Data(text.utf8)
        default: return nil
        }
    }
}
