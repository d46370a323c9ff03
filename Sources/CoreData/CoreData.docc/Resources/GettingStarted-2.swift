import CoreData

let container = NSPersistentContainer(name: "Heroes")
container.loadPersistentStores { description, error in
    if let error { print("can't open \(description.url?.path ?? "the store"): \(error)") }
}
let context = container.viewContext

let hero = Hero(context: context)
hero.name = "Batman"
let power = Power(context: context)
power.name = "Money"
try context.save()
