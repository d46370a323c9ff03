// The symbols of the accessors that the compiler expects of managed properties and methods.

import Foundation

/// Computes symbols of members of one type.
package struct AccessorSymbols {
    /// The module of the sources.
    package let moduleName: String
    /// The type that declares the members or is extended by them.
    package let type: NominalType

    package init(moduleName: String, type: NominalType) {
        self.moduleName = moduleName
        self.type = type
    }

    package func getter(_ property: ScannedProperty, propertyType: ResolvedType) -> String {
        accessor(property, type: propertyType, ending: "vg")
    }

    package func setter(_ property: ScannedProperty, propertyType: ResolvedType) -> String {
        accessor(property, type: propertyType, ending: "vs")
    }

    package func method(_ method: ScannedMethod, parameters: [ResolvedType], result: ResolvedType?) -> String
    {
        var mangler = context
        mangler.append(name: method.name, discriminator: discriminator(method.access, place: method.place))
        mangler.appendSignature(
            labels: method.parameters.map(\.label), parameters: parameters, result: result)
        return mangler.name
    }

    private func accessor(_ property: ScannedProperty, type: ResolvedType, ending: String) -> String {
        var mangler = context
        mangler.append(
            name: property.name, discriminator: discriminator(property.access, place: property.place))
        mangler.append(type)
        mangler.append(ending)
        return mangler.name
    }

    private var context: Mangler {
        var mangler = Mangler()
        mangler.append(type)
        if type.home != moduleName { mangler.appendExtension(in: moduleName) }
        return mangler
    }

    /// Distinguishes private names of several files.
    private func discriminator(_ access: AccessLevel, place: SourcePlace) -> String? {
        // A member of a private type has a name of its own by that.
        type.isPrivate ? nil : Self.discriminator(access, place: place, moduleName: moduleName)
    }

    /// The same for a type of a module. Nil for what other files see.
    static func discriminator(_ access: AccessLevel, place: SourcePlace, moduleName: String) -> String? {
        guard access <= .fileprivate else { return nil }
        let file = URL(fileURLWithPath: place.path).lastPathComponent
        return "_" + MD5.hexadecimal((moduleName + file).utf8)
    }
}
