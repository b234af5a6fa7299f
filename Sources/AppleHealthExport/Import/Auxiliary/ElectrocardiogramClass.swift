/// The classification of an electrocardiogram, recognized in the languages of iOS. A text in another language or a new
/// wording is ``unrecognized``; the text itself is kept as well.
enum ElectrocardiogramClass: Int, CaseIterable {
    case notSet = 0
    case sinusRhythm = 1
    case atrialFibrillation = 2
    case lowHeartRate = 3
    case highHeartRate = 4
    case poorReading = 5
    case inconclusive = 6
    case unrecognized = 100

    /// The classification with this name.
    init(_ text: String) {
        let plain = Self.folded(text)
        self = plain.isEmpty ? .notSet : Self.byText[plain] ?? .unrecognized
    }

    /// The English name, as in archives.
    var english: String {
        switch self {
        case .notSet: ""
        case .unrecognized: "Unrecognized"
        default: Self.texts[self]?.first ?? ""
        }
    }

    /// Whether a text for symptoms means that there were none.
    static func meansNone(_ text: String) -> Bool {
        none.contains(folded(text))
    }

    /// The text without differences in case, punctuation, spaces and dashes.
    private static func folded(_ text: String) -> String {
        let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }
        return words.joined(separator: " ")
    }

    private static let byText: [String: ElectrocardiogramClass] = {
        var byText: [String: ElectrocardiogramClass] = [:]
        for (kind, texts) in texts {
            for text in texts { byText[folded(text)] = kind }
        }
        return byText
    }()

    private static let none: Set<String> = Set(
        [
            "None", "No Symptoms", "Keine", "Keine Symptome", "Aucun", "Aucune", "Aucun symptôme", "Ninguno",
            "Ninguna", "Sin síntomas", "Nenhum", "Nenhuma", "Sem sintomas", "Nessuno", "Nessun sintomo", "Geen",
            "Geen symptomen", "Inga", "Inga symtom", "Ingen", "Ingen symptomer", "Ei mitään", "Ei oireita", "なし",
            "症状なし", "无", "无症状", "無", "無症狀", "없음", "증상 없음",
        ].map(folded))

    /// Names in English, German, French, Spanish, Portuguese, Italian, Dutch, Swedish, Norwegian, Danish, Finnish,
    /// Japanese, Chinese in both scripts, and Korean. The first one is written to archives.
    private static let texts: [ElectrocardiogramClass: [String]] = [
        .sinusRhythm: [
            "Sinus Rhythm", "Sinusrhythmus", "Rythme sinusal", "Ritmo sinusal", "Ritmo sinusale", "Sinusritme",
            "Sinusrytm", "Sinusrytme", "Sinusrytmi", "洞調律", "洞性リズム", "窦性心律", "竇性心律", "竇性節律", "동리듬", "동율동", "정상 동리듬",
        ],
        .atrialFibrillation: [
            "Atrial Fibrillation", "AFib", "Vorhofflimmern", "Fibrillation auriculaire", "Fibrillation atriale",
            "Fibrilación auricular", "Fibrilación atrial", "Fibrilhação auricular", "Fibrilação auricular",
            "Fibrilação atrial", "Fibrillazione atriale", "Atriumfibrilleren", "Boezemfibrilleren",
            "Boezemfibrillatie", "Förmaksflimmer", "Atrieflimmer", "Atrieflimren", "Eteisvärinä", "心房細動",
            "心房颤动", "房颤", "心房顫動", "房顫", "심방세동", "심방 세동",
        ],
        .lowHeartRate: [
            "Low Heart Rate", "Inconclusive: Low Heart Rate", "Heart Rate Under 50", "Niedrige Herzfrequenz",
            "Herzfrequenz unter 50", "Fréquence cardiaque basse", "Fréquence cardiaque faible",
            "Frecuencia cardiaca baja", "Frecuencia cardíaca baja", "Frequência cardíaca baixa",
            "Frequenza cardiaca bassa", "Lage hartslag", "Lage hartfrequentie", "Låg puls", "Låg hjärtfrekvens",
            "Lav puls", "Lav hjertefrekvens", "Matala syke", "Matala sydämen syke", "低心拍数", "心拍数が低い", "低心率",
            "心率过低", "心率偏低", "心率過低", "心率偏低", "낮은 심박수", "느린 심박수", "저심박수",
        ],
        .highHeartRate: [
            "High Heart Rate", "Inconclusive: High Heart Rate", "Heart Rate Over 120", "Heart Rate Over 150",
            "Hohe Herzfrequenz", "Herzfrequenz über 120", "Herzfrequenz über 150", "Fréquence cardiaque élevée",
            "Frecuencia cardiaca alta", "Frecuencia cardíaca alta", "Frecuencia cardiaca elevada",
            "Frecuencia cardíaca elevada", "Frequência cardíaca alta", "Frequência cardíaca elevada",
            "Frequenza cardiaca alta", "Frequenza cardiaca elevata", "Hoge hartslag", "Hoge hartfrequentie",
            "Hög puls", "Hög hjärtfrekvens", "Høy puls", "Høy hjertefrekvens", "Høj puls", "Høj hjertefrekvens",
            "Korkea syke", "高心拍数", "心拍数が高い", "高心率", "心率过高", "心率偏高", "心率過高", "높은 심박수", "빠른 심박수", "고심박수",
        ],
        .poorReading: [
            "Poor Recording", "Inconclusive: Poor Recording", "Poor Reading", "Inconclusive: Poor Reading",
            "Schlechte Aufzeichnung", "Schlechte Messung", "Mauvais enregistrement", "Enregistrement médiocre",
            "Enregistrement de mauvaise qualité", "Grabación deficiente", "Mala grabación", "Registro deficiente",
            "Lectura deficiente", "Registo deficiente", "Registro ruim", "Gravação ruim", "Má gravação",
            "Gravação de baixa qualidade", "Registrazione scadente", "Registrazione di scarsa qualità",
            "Registrazione non valida", "Slechte opname", "Slechte meting", "Slechte registratie", "Dålig inspelning",
            "Dålig mätning", "Dålig registrering", "Dårlig opptak", "Dårlig måling", "Dårlig optagelse",
            "Huono tallenne", "Huono mittaus", "記録不良", "不良な記録", "記録の質が低い", "记录不佳", "记录质量差", "记录不良", "記錄不佳", "記錄品質不佳",
            "記錄不良", "불량한 기록", "기록 상태 불량", "불량 기록",
        ],
        .inconclusive: [
            "Inconclusive", "Nicht eindeutig", "Uneindeutig", "Kein eindeutiges Ergebnis", "Unklar",
            "Ergebnis nicht eindeutig", "Non concluant", "Peu concluant", "Non concluante", "Résultat non concluant",
            "No concluyente", "Inconcluso", "Resultado no concluyente", "Inconclusivo", "Não conclusivo",
            "Resultado inconclusivo", "Non conclusivo", "Inconcludente", "Risultato non conclusivo",
            "Onduidelijk", "Niet eenduidig", "Geen uitsluitsel", "Inconclusief", "Niet doorslaggevend", "Ofullständigt",
            "Ej entydigt", "Inte entydigt", "Oklart", "Ofullständig", "Usikker", "Usikkert", "Ikke entydig",
            "Ikke entydigt", "Inkonklusiv", "Inkonklusivt", "Uklart", "Ikke avgjørende", "Epäselvä", "Tulokseton",
            "Ei yksiselitteinen", "Epävarma", "判定不能", "判定不可", "不確定", "不确定", "无法判定", "无结论", "無法判定", "無定論", "결론 불충분",
            "판정 불가", "판정 불능", "결과 불확실", "불확실",
        ],
    ]
}
