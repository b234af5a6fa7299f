#if !Server
    #error("This product of OpenHealthKit needs the trait “Server”: .package(url: …, from: …, traits: [\"Server\"])")
#endif
