extension HKCategoryValueSleepAnalysis {
    /// Every value that means the person slept, whatever the stage.
    public static var allAsleepValues: Set<HKCategoryValueSleepAnalysis> {
        [.asleepUnspecified, .asleepCore, .asleepDeep, .asleepREM]
    }
}
