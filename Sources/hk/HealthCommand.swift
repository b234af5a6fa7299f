import ArgumentParser

/// The command line: one subcommand a file below Commands/.
struct HealthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hk",
        abstract: "Ask, fill and keep a health store.",
        discussion: """
            A store holds one person's health history: samples imported from an Apple Health archive, \
            saved by programs written for HealthKit, or added here. Start with “hk import export.zip”, \
            or with “hk generate demo.zip” if you have no archive at hand.

            The store is the file named by --store, else by $HEALTHKIT_STORE, else \
            ~/.local/share/openhealthkit/health.sqlite.
            """,
        version: "0.1.0",
        subcommands: [
            ImportCommand.self, ExportCommand.self, CrosscheckCommand.self, TypesCommand.self, SourcesCommand.self,
            SamplesCommand.self, StatsCommand.self, SQLCommand.self, RingsCommand.self, EnergyCommand.self,
            WatchCommand.self, AddCommand.self, ProfileCommand.self, AuthorizeCommand.self, GenerateCommand.self,
            DoctorCommand.self,
        ])
}
