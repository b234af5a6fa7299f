import HealthModel

/// The names of sports in several languages, as Strava's list of activities and other tables have them.
enum SportNames {
    /// The activity with a name; another one for an unknown name.
    static func track(called text: String) -> RecordedTrack {
        let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: " ")
        return RecordedTrack(called: sports[words] ?? text)
    }

    /// English names by translated ones, in lowercase with spaces only.
    private static let sports: [String: String] = {
        let words: [(String, String)] = [
            (
                "Run",
                "lauf|laufen|joggen|course à pied|course|hardloopsessie|carrera|corsa|corrida|ラン|跑步|løb|löpning|bieg"
            ),
            ("Trail Run", "traillauf|trailrun|trail|carrera de montaña|corsa trail"),
            (
                "Virtual Run",
                "virtueller lauf|course à pied virtuelle|virtuele hardloopsessie|carrera virtual|corsa virtuale"
            ),
            (
                "Ride",
                "radfahrt|radfahren|fahrrad|rad|cyclisme|fietsen|ciclismo|sortie à vélo|vélo|fietsrit|vuelta en bicicleta|bicicleta|pedalata|giro in bici|pedalada|ライド|骑行|cykling|jazda na rowerze"
            ),
            (
                "Virtual Ride",
                "virtuelle radfahrt|vélo virtuel|sortie à vélo virtuelle|virtuele fietsrit|vuelta ciclista virtual|pedalata virtuale|pedalada virtual"
            ),
            (
                "Mountain Bike Ride",
                "mountainbikefahrt|mountainbike fahrt|sortie en vtt|vtt|mountainbiketocht|bicicleta de montaña"
            ),
            ("Gravel Ride", "gravelfahrt|gravel fahrt|gravel|gravelrit"),
            ("Ride", "e bike fahrt|sortie en vélo électrique|e bike rit|e bike ride|e mountain bike ride"),
            ("Swim", "schwimmen|natation|zwemsessie|zwemmen|natación|nuotata|nuoto|natação|スイム|游泳|simning"),
            ("Walk", "spaziergang|gehen|marche|wandeling|caminata|camminata|caminhada|ウォーク|步行|promenad"),
            ("Hike", "wanderung|wandern|randonnée|hiken|senderismo|escursione|trilha|ハイキング|徒步"),
            ("Alpine Ski", "ski alpin|alpineskiën|alpineski|esquí alpino|sci alpino"),
            ("Nordic Ski", "skilanglauf|ski nordique|langlaufen|esquí nórdico|sci nordico|sci di fondo"),
            ("Snowboard", "snowboard|snowboarden"),
            ("Rowing", "rudern|aviron|roeien|remo|canottaggio"),
            ("Kayaking", "kajakfahren|kayak|kajakken"),
            ("Yoga", "yoga|ヨガ|瑜伽"),
            (
                "Weight Training",
                "krafttraining|entraînement aux poids|musculation|krachttraining|entrenamiento con pesas|allenamento con i pesi|treinamento com peso"
            ),
            ("Elliptical", "ellipsentrainer|crosstrainer|elliptique|elíptica|ellittica"),
            ("Stair Stepper", "stepper"), ("Ice Skate", "eislaufen|patinage sur glace|schaatsen"),
            ("Inline Skate", "inlineskaten|roller"), ("Rock Climbing", "klettern|escalade|klimmen"),
            ("Golf", "golf"), ("Soccer", "fußball|football soccer|fútbol|calcio"), ("Tennis", "tennis|tenis"),
            ("High Intensity Interval Training", "hiit"), ("Pilates", "pilates"),
        ]
        var sports: [String: String] = [:]
        for (name, translated) in words {
            for word in translated.split(separator: "|") { sports[String(word)] = name }
        }
        return sports
    }()
}
