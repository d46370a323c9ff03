// The request that a page makes first.

import Foundation

struct SessionRoutes: StudioArea {
    struct Answer: Codable {
        var proof: String
        var title: String
        var user: String?
        /// The user's role, in a studio that has users.
        var role: String?
        var isReadOnly: Bool
        var hasStore: Bool
        var hasModelFile: Bool
        /// The path of a model that was named and isn't there yet.
        var newModel: String?
    }

    func add(to routes: inout StudioRoutes) {
        routes.get("session") { call in
            Answer(
                proof: call.session.proof, title: call.studio.options.title, user: call.session.user,
                role: call.studio.role(of: call.session.user)?.rawValue,
                isReadOnly: call.studio.isReadOnly, hasStore: call.studio.coordinator != nil,
                hasModelFile: call.studio.modelFile != nil, newModel: call.studio.newModelFile?.path)
        }
    }
}
