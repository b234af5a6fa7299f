package import HealthFiles

extension FileRegistry {
    /// The readers of devices and services, in the order in which they are asked: a mapping of one's own comes first, a file
    /// that a list names before the same file by itself.
    ///
    /// - Parameter columns: The JSON of a column mapping, which says what the columns of CSV files are.
    /// - Throws: ``ImportError`` for a mapping that can't be used.
    package static func devices(columns: [UInt8]? = nil) throws -> [any FileReader] {
        [
            try ColumnMappingFiles(columns), StravaReader(), ActivityFileReader(), GadgetbridgeReader(),
            HealthConnectFiles(), GarminReader(), GoogleReader(), PolarReader(), SuuntoReader(), CorosReader(),
            WithingsReader(), WHOOPReader(), OmronReader(), SamsungReader(), OuraReader(), ZeppReader(),
            MiFitnessReader(), HuaweiReader(), BeurerReader(), LibreReader(), DexcomReader(), NightscoutReader(),
            TidepoolReader(), MyFitnessPalReader(), CronometerReader(), LoseItReader(), ClueReader(), FloReader(),
            DripReader(), HomeAssistantReader(), AutoExportWorkoutsReader(),
        ]
    }
}
