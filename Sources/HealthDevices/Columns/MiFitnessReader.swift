import HealthFiles

/// Reads the tables of Mi Fitness in the copy of a Xiaomi account.
final class MiFitnessReader: TableService {
    static let format = FileFormat(
        name: "Mi Fitness", title: "[Mi Fitness](#mi-fitness)", files: "the zip file or its folder",
        exampleNames: ["1_MiFitness_hlth_center_fitness_data.csv", "1_MiFitness_hlth_center_sport_record.csv"],
        sources: ["mifitness."])
}
