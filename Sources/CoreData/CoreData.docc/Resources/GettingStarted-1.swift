import CoreData

let container = NSPersistentContainer(name: "Heroes")
container.loadPersistentStores { description, error in
    if let error { print("can't open \(description.url?.path ?? "the store"): \(error)") }
}
let context = container.viewContext
