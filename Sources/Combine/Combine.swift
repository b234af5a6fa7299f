#if Combine
    // OpenCombine under the name that code for Apple's systems imports, with its extensions of Foundation and Dispatch. GRDB and OpenCombine
    // ask `canImport(Combine)`, so this target depends on both: they are compiled first, as without this module.
    @_exported public import OpenCombine
    @_exported public import OpenCombineDispatch
    @_exported public import OpenCombineFoundation
#else
    #error("This product of OpenHealthKit needs the trait “Combine”: .package(url: …, from: …, traits: [\"Combine\"])")
#endif
