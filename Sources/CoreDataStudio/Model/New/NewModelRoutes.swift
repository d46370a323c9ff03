// The start page of a model that isn't there yet: empty, from a store, or a sample.

import CoreData
import StoreTools

struct NewModelRoutes: StudioArea {
    private struct Wish: Decodable {
        /// `empty`, `store` for the one that the studio has open, `address` for one on a server, or `sample`.
        var from: String
        var sample: String?
        var address: String?
    }

    private struct Sample: Encodable {
        var name: String
        var help: String
    }

    private struct Offer: Encodable {
        var path: String
        var hasStore: Bool
        /// The schemes of addresses that a store may be at.
        var schemes: [String]
        var samples: [Sample]
    }

    private struct Made: Encodable {
        var path: String
        var remarks: [String]
    }

    func add(to routes: inout StudioRoutes) {
        routes.get("model/new") { call in
            let file = try await Self.place(call)
            return Offer(
                path: file.path, hasStore: call.studio.coordinator != nil,
                schemes: call.studio.modelAddressSchemes,
                samples: SampleModel.all.map { Sample(name: $0.name, help: $0.help) })
        }
        routes.post("model/new") { call in
            let file = try await Self.place(call)
            let wish = try call.body(Wish.self)
            return Made(path: file.path, remarks: try Self.make(wish, at: file, studio: call.studio))
        }
        // A store's file: the copy of the model that it keeps.
        routes.post("model/new/store") { call in
            let file = try await Self.place(call)
            let copy = FileManager.default.temporaryDirectory.appendingPathComponent(
                "studio-\(UUID().uuidString).sqlite")
            defer { try? FileManager.default.removeItem(at: copy) }
            try call.request.body.write(to: copy)
            return Made(
                path: file.path, remarks: try ModelSource(path: copy.path).read().writeSource(to: file))
        }
    }

    /// The place where the model is to be. Throws if one is there, or nothing may be made.
    private static func place(_ call: StudioCall) async throws -> URL {
        try await call.allow(.editModel)
        guard let file = call.studio.newModelFile else {
            throw StudioProblem(status: 409, "There is a model already.")
        }
        return file
    }

    /// Makes the model. Gives remarks on what its file can't say.
    private static func make(_ wish: Wish, at file: URL, studio: StudioContext) throws -> [String] {
        switch wish.from {
        case "empty":
            return try NSManagedObjectModel().writeSource(to: file)
        case "store":
            guard let model = studio.model else {
                throw StudioProblem(status: 404, "The studio was opened without a store.")
            }
            return try model.writeSource(to: file)
        case "address":
            let (model, remarks) = try model(at: wish.address ?? "", studio: studio)
            return try remarks + model.writeSource(to: file)
        case "sample":
            guard let sample = SampleModel.all.first(where: { $0.name == wish.sample }) else {
                throw StudioProblem(status: 404, "There is no such sample.")
            }
            try sample.write(to: ModelFiles(file))
            return []
        default:
            throw StudioProblem(
                status: 400, "A model is made from \"empty\", \"store\", \"address\" or \"sample\".")
        }
    }

    /// The model of a store on a server, or one that is proposed for the tables there, with remarks.
    private static func model(at address: String, studio: StudioContext) throws
        -> (NSManagedObjectModel, [String])
    {
        let schemes = studio.modelAddressSchemes
        guard let scheme = schemes.first else {
            throw StudioProblem(
                status: 403, "This studio connects to no servers: start it with the store's address.")
        }
        guard schemes.contains(where: { address.hasPrefix($0 + "://") }) else {
            throw StudioProblem(
                status: 400, "Write the address of a database: \(scheme)://HOST/DATABASE?schema=SCHEMA.")
        }
        return try StoreAddress(address).modelOrProposal()
    }
}

extension StudioContext {
    /// The schemes of addresses from which a model may be made. None in a studio with several users: the servers would be those
    /// that this machine reaches, with its own person's passwords.
    var modelAddressSchemes: [String] { options.users.isEmpty ? ServerStores.schemes : [] }

    /// A model file that was named and isn't there yet; nil where none may be made.
    var newModelFile: URL? {
        guard let file = modelFile, !isReadOnly,
            ["xcdatamodeld", "xcdatamodel"].contains(file.pathExtension),
            !FileManager.default.fileExists(atPath: file.path)
        else { return nil }
        return file
    }
}
