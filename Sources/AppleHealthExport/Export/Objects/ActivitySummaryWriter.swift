import HealthModel

/// A day's rings as an `ActivitySummary` element: the twin of ``ActivitySummaryReader``.
enum ActivitySummaryWriter {
    static func write(
        _ object: ObjectRecord, _ body: ActivitySummaryBody, _ tally: inout ExportTally
    ) -> ArchivedElement {
        var element = ArchivedElement(name: "ActivitySummary")
        let day = CivilDate.dayNumber(year: body.year, month: body.month, day: body.day)
        element.append("dateComponents", DateText.printDay(day))
        let energy = body.activeEnergyBurned ?? body.activeEnergyBurnedGoal
        element.append("activeEnergyBurned", text(body.activeEnergyBurned, in: energy?.unit))
        element.append("activeEnergyBurnedGoal", text(body.activeEnergyBurnedGoal, in: energy?.unit))
        element.append("activeEnergyBurnedUnit", energy?.unit)
        element.append("appleMoveTime", text(body.appleMoveTime, in: "min"))
        element.append("appleMoveTimeGoal", text(body.appleMoveTimeGoal, in: "min"))
        element.append("appleExerciseTime", text(body.appleExerciseTime, in: "min"))
        element.append("appleExerciseTimeGoal", text(body.appleExerciseTimeGoal, in: "min"))
        element.append("appleStandHours", text(body.appleStandHours, in: "count"))
        element.append("appleStandHoursGoal", text(body.appleStandHoursGoal, in: "count"))
        element.append(object.metadata, &tally)
        return element
    }

    /// The number in the one unit the archive has for it.
    private static func text(_ quantity: QuantityRecord?, in unit: String?) -> String? {
        guard let quantity else { return nil }
        guard let unit, unit != quantity.unit, let from = try? UnitExpression(parsing: quantity.unit),
            let to = try? UnitExpression(parsing: unit), let convert = from.conversion(to: to)
        else { return NumberText.print(quantity.value) }
        return NumberText.print(convert(quantity.value))
    }
}
