// A stack in memory for tests of publishers, as code for Apple's systems would make it.

import CoreData

final class Note: NSManagedObject {
    var title: String? {
        get { value(forKey: "title") as? String }
        set { setValue(newValue, forKey: "title") }
    }
    var stars: Int {
        get { value(forKey: "stars") as? Int ?? 0 }
        set { setValue(newValue, forKey: "stars") }
    }
}

struct Notes {
    let container: NSPersistentContainer
    var context: NSManagedObjectContext { container.viewContext }

    init() {
        let title = NSAttributeDescription()
        title.name = "title"
        title.attributeType = .stringAttributeType
        title.isOptional = true
        let stars = NSAttributeDescription()
        stars.name = "stars"
        stars.attributeType = .integer64AttributeType
        stars.defaultValue = 0
        let entity = NSEntityDescription()
        entity.name = "Note"
        entity.managedObjectClassName = "Note"
        entity.properties = [title, stars]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        container = NSPersistentContainer(name: "Notes", managedObjectModel: model)
        let description = NSPersistentStoreDescription()
        description.type = NSInMemoryStoreType
        container.persistentStoreDescriptions = [description]
        container.loadPersistentStores { _, error in precondition(error == nil, "\(error!)") }
    }

    func note(_ title: String) throws -> Note {
        let note = Note(context: context)
        note.title = title
        try context.save()
        return note
    }
}
