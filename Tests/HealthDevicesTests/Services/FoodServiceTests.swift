import HealthFiles
import HealthModel
import Testing

@testable import HealthDevices

@Suite("Food and measurements of MyFitnessPal, Cronometer and Lose It!")
struct FoodServiceTests {
    private static let nutrition =
        "Calories,Fat (g),Saturated Fat,Polyunsaturated Fat,Monounsaturated Fat,Trans Fat,Cholesterol,Sodium (mg),"
        + "Potassium,Carbohydrates (g),Fiber,Sugar,Protein (g),Vitamin A,Vitamin C,Calcium,Iron,Note\n"
    private static let exercise =
        "Date,Exercise,Type,Exercise Calories,Exercise Minutes,Sets,Reps Per Set,Pounds,Steps,Note\n"
        + "2024-05-13,Running,Cardio,350,30,,,,5000,\n"

    static let files: [ImportCase] = [
        ImportCase(
            "MyFitnessPal: meals of a day", "Nutrition-Summary-2024-05-01-to-2024-06-01.csv",
            "Date,Meal," + nutrition + """
                2024-05-13,Breakfast,"1,000.5",15,0,0,0,0,30,400,0,60,0,0,45,0,0,0,0,
                2024-05-13,Daily Total,1000.5,15,0,0,0,0,30,400,0,60,0,0,45,0,0,0,0,

                """,
            [
                "Food 2024-05-12T22:00:00Z +86400 {HKFoodType: Breakfast}",
                "DietaryEnergyConsumed 1000.5 kcal 2024-05-12T22:00:00Z +86400",
                "DietaryFatTotal 15 g 2024-05-12T22:00:00Z +86400",
                "DietaryCholesterol 30 mg 2024-05-12T22:00:00Z +86400",
                "DietarySodium 400 mg 2024-05-12T22:00:00Z +86400",
                "DietaryCarbohydrates 60 g 2024-05-12T22:00:00Z +86400",
                "DietaryProtein 45 g 2024-05-12T22:00:00Z +86400",
            ], leftOut: ["nutrients in percent of a daily value": 1, "row that the mapping excludes": 1]),
        ImportCase(
            "MyFitnessPal: meals with times, which some lack", "Nutrition-Summary.csv",
            "Date,Meal,Time," + nutrition + """
                2024-05-13,Lunch,12:30 PM,500,0,0,0,0,0,0,0,0,0,0,0,0,,,,,
                2024-05-13,Snacks,,100,0,0,0,0,0,0,0,0,0,0,0,0,,,,,

                """,
            [
                "Food 2024-05-13T10:30:00Z {HKFoodType: Lunch}", "DietaryEnergyConsumed 500 kcal 2024-05-13T10:30:00Z",
                "Food 2024-05-12T22:00:00Z +86400 {HKFoodType: Snacks}",
                "DietaryEnergyConsumed 100 kcal 2024-05-12T22:00:00Z +86400",
            ]),
        ImportCase(
            "Cronometer: food with and without a time", "servings.csv",
            "Day,Time,Group,Food Name,Amount,Energy (kcal),B12 (Cobalamin) (µg),Vitamin A (IU),Vitamin D (IU),Fat (g),"
                + "Saturated (g),Water (g),Category\n" + """
                    2024-05-13,8:15 AM,Breakfast,"Oats, rolled",58.00 g,220,0.5,10,40,4.1,0.8,5,Grains
                    2024-05-13,,Dinner,Soup,1 bowl,90,,,,,,,Soups

                    """,
            [
                "Food 2024-05-13T06:15:00Z {HKFoodType: Oats, rolled}",
                "DietaryEnergyConsumed 220 kcal 2024-05-13T06:15:00Z",
                "DietaryVitaminB12 0.5 mcg 2024-05-13T06:15:00Z", "DietaryVitaminD 1 mcg 2024-05-13T06:15:00Z",
                "DietaryFatTotal 4.1 g 2024-05-13T06:15:00Z", "DietaryFatSaturated 0.8 g 2024-05-13T06:15:00Z",
                "DietaryWater 5 mL 2024-05-13T06:15:00Z", "Food 2024-05-12T22:00:00Z +86400 {HKFoodType: Soup}",
                "DietaryEnergyConsumed 90 kcal 2024-05-12T22:00:00Z +86400",
            ]),
        ImportCase(
            "Cronometer: measurements", "biometrics.csv",
            """
            Day,Time,Group,Metric,Unit,Amount
            2024-05-13,06:00 ,Data,Weight,lbs,180.5
            2024-05-13,,Data,Body Fat,%,18
            2024-05-13,7:00 AM,Data,Blood Pressure,mmHg,120/80
            2024-05-13,7:00 AM,Data,Weight (Apple Health),lbs,180.5
            2024-05-13,7:00 AM,Data,Blood Glucose,mg/dL,95
            2024-05-13,7:05 AM,Data,Insulin,units,4.5

            """,
            [
                "BodyMass 180.5 lb 2024-05-13T04:00:00Z", "BodyFatPercentage 0.18 % 2024-05-12T22:00:00Z",
                "BloodPressure 2024-05-13T05:00:00Z", "BloodPressureSystolic 120 mmHg 2024-05-13T05:00:00Z",
                "BloodPressureDiastolic 80 mmHg 2024-05-13T05:00:00Z", "BloodGlucose 95 mg/dL 2024-05-13T05:00:00Z",
                "InsulinDelivery 4.5 IU 2024-05-13T05:05:00Z",
            ], leftOut: ["entry of another kind": 1]),
        ImportCase(
            "Cronometer: sums of days", "dailysummary.csv",
            "Date,Group,Energy (kcal),Protein (g),Completed\n2024-05-13,Dinner,683.5,40,false\n",
            [
                "Food 2024-05-12T22:00:00Z +86400 {HKFoodType: Dinner}",
                "DietaryEnergyConsumed 683.5 kcal 2024-05-12T22:00:00Z +86400",
                "DietaryProtein 40 g 2024-05-12T22:00:00Z +86400",
            ]),
        ImportCase(
            "MyFitnessPal: dates as a spreadsheet writes them", "Nutrition-Summary.csv",
            "Date,Meal," + nutrition + """
                1/2/2024,Dinner,500,0,0,0,0,0,0,0,0,0,0,0,0,,,,,
                1/13/2024,Dinner,600,0,0,0,0,0,0,0,0,0,0,0,0,,,,,

                """,
            [
                "Food 2024-01-01T23:00:00Z +86400 {HKFoodType: Dinner}",
                "DietaryEnergyConsumed 500 kcal 2024-01-01T23:00:00Z +86400",
                "Food 2024-01-12T23:00:00Z +86400 {HKFoodType: Dinner}",
                "DietaryEnergyConsumed 600 kcal 2024-01-12T23:00:00Z +86400",
            ]),
        ImportCase(
            "Lose It!: food, of which some was deleted", "food-logs.csv",
            """
            Date,Name,Icon,Meal,Quantity,Units,Calories,Deleted,Fat (g),Protein (g),Sodium (mg)
            05/13/2024,Yogurt,Dairy,Breakfast,1,Cup,120,false,n/a,22,80
            05/13/2024,Old,Dairy,Breakfast,1,Cup,999,true,1,1,1

            """,
            [
                "Food 2024-05-12T22:00:00Z +86400 {HKFoodType: Yogurt}",
                "DietaryEnergyConsumed 120 kcal 2024-05-12T22:00:00Z +86400",
                "DietaryProtein 22 g 2024-05-12T22:00:00Z +86400", "DietarySodium 80 mg 2024-05-12T22:00:00Z +86400",
            ], leftOut: ["row that the mapping excludes": 1]),
        ImportCase(
            "Lose It!: the older form, with exercise among the food", "food-logs.csv",
            """
            Date,Name,Type,Quantity,Units,Calories,Fat (g),Protein (g)
            05/13/2024,Yogurt,Breakfast,1,Cup,120,2,22
            05/13/2024,Running,Exercise,30,Minutes,300,0,0

            """,
            [
                "Food 2024-05-12T22:00:00Z +86400 {HKFoodType: Yogurt}",
                "DietaryEnergyConsumed 120 kcal 2024-05-12T22:00:00Z +86400",
                "DietaryFatTotal 2 g 2024-05-12T22:00:00Z +86400", "DietaryProtein 22 g 2024-05-12T22:00:00Z +86400",
            ], leftOut: ["row that the mapping excludes": 1]),
        ImportCase(
            "Cronometer: exercise without times", "exercises.csv",
            "Day,Group,Exercise,Minutes,Calories Burned\n2024-05-13,Data,Running,30,-300\n", [],
            leftOut: ["exercise without a time of day": 1]),
    ]

    @Test("Files of food", arguments: files)
    func food(file: ImportCase) throws { try file.check() }

    @Test("The weights of MyFitnessPal have the unit that the file of exercise names")
    func weights() throws {
        let weights = Array("Date,Weight\n2024-05-13,180.5\n".utf8)
        let both = try ArchiveFolder([
            "Measurement-Summary.csv": weights, "Exercise-Summary.csv": Array(Self.exercise.utf8),
        ])
        defer { both.remove() }
        let report = try #require(try both.importing())
        #expect(try both.contents() == ["BodyMass 180.5 lb 2024-05-12T22:00:00Z"])
        #expect(report.irregularities == ["exercise without a time of day, left out": 1])
        let alone = try ArchiveFolder([
            "Measurement-Summary.csv": weights, "food-logs.csv": Array(Self.files[6].files[0].text.utf8),
        ])
        defer { alone.remove() }
        #expect(try #require(try alone.importing()).unreadCount("has weights without their unit") == 1)
        #expect(try alone.samples("BodyMass").isEmpty)
    }

    @Test("Sums of days aren’t added to the food of the same archive")
    func sums() throws {
        let folder = try ArchiveFolder([
            "servings.csv": Array("Day,Food Name,Amount,Energy (kcal)\n2024-05-13,Soup,1 bowl,90\n".utf8),
            "dailysummary.csv": Array(
                "Date,Energy (kcal),Protein (g),Completed\n2024-05-13,90,2,true\n".utf8),
        ])
        defer { folder.remove() }
        let report = try #require(try folder.importing())
        #expect(try folder.samples("DietaryEnergyConsumed").map(\.value) == [90])
        #expect(report.unreadCount("has the sums of days, of which another file of Cronometer’s has the food") == 1)
    }

    @Test("Exercise of Cronometer with a time is a workout")
    func workouts() throws {
        let text = "Day,Time,Group,Exercise,Minutes,Calories Burned\n2024-05-13,07:00,Data,Running,30,-300\n"
        let folder = try ArchiveFolder(["exercises.csv": Array(text.utf8)])
        defer { folder.remove() }
        _ = try folder.importing()
        let workout = try #require(try folder.workouts().first)
        guard case .workout(let body) = workout.body else { throw FileReadingError("no workout") }
        #expect(body.activityType == 37 && body.totalEnergyBurned?.value == 300)
        #expect(workout.end - workout.start == 1_800)
    }
}
