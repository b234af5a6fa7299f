import ArgumentParser

/// What `hk export` writes.
enum ExportFormat: String, CaseIterable, ExpressibleByArgument {
    /// An Apple Health archive.
    case apple
}
