/// What the head of an electrocardiogram's file says in one language.
struct ElectrocardiogramWords: Sendable {
    var name: String
    var birth: String
    var recorded: String
    var classification: String
    var symptoms: String
    var software: String
    var device: String
    var rate: String
    /// Stands after the number of the sample rate, with the blank before it where there is one.
    var hertz: String
    var lead: String
    var leadOne: String
    var unit: String
    var sinusRhythm: String
    var fibrillation: String
    var inconclusive: String
    /// A symptom with a comma in it.
    var palpitations: String

    static let english = ElectrocardiogramWords(
        name: "Name", birth: "Date of Birth", recorded: "Recorded Date", classification: "Classification",
        symptoms: "Symptoms", software: "Software Version", device: "Device", rate: "Sample Rate", hertz: " hertz",
        lead: "Lead", leadOne: "Lead I", unit: "Unit", sinusRhythm: "Sinus Rhythm", fibrillation: "Atrial Fibrillation",
        inconclusive: "Inconclusive", palpitations: "Rapid, pounding, or fluttering heartbeat")
    static let french = ElectrocardiogramWords(
        name: "Nom", birth: "Date de naissance", recorded: "Date d’enregistrement", classification: "Classification",
        symptoms: "Symptômes", software: "Version du logiciel", device: "Appareil", rate: "Fréquence d’échantillonnage",
        hertz: " hertz", lead: "Dérivation", leadOne: "Dérivation I", unit: "Unité", sinusRhythm: "Rythme sinusal",
        fibrillation: "Fibrillation auriculaire", inconclusive: "Non concluant", palpitations: "Palpitations, rapides")
    static let german = ElectrocardiogramWords(
        name: "Name", birth: "Geburtsdatum", recorded: "Aufzeichnungsdatum", classification: "Klassifizierung",
        symptoms: "Symptome", software: "Softwareversion", device: "Gerät", rate: "Messrate", hertz: " Hertz",
        lead: "Ableitung", leadOne: "Ableitung I", unit: "Einheit", sinusRhythm: "Sinusrhythmus",
        fibrillation: "Vorhofflimmern", inconclusive: "Uneindeutig", palpitations: "Rasender, pochender Herzschlag")
    static let spanish = ElectrocardiogramWords(
        name: "Nombre", birth: "Fecha de nacimiento", recorded: "Fecha de registro", classification: "Clasificación",
        symptoms: "Síntomas", software: "Versión del software", device: "Dispositivo", rate: "Frecuencia de muestreo",
        hertz: " hercios", lead: "Derivación", leadOne: "Derivación I", unit: "Unidad", sinusRhythm: "Ritmo sinusal",
        fibrillation: "Fibrilación auricular", inconclusive: "No concluyente", palpitations: "Latido rápido, fuerte")
    static let portuguese = ElectrocardiogramWords(
        name: "Nome", birth: "Data de nascimento", recorded: "Data de registo", classification: "Classificação",
        symptoms: "Sintomas", software: "Versão do software", device: "Dispositivo", rate: "Taxa de amostragem",
        hertz: " hertz", lead: "Derivação", leadOne: "Derivação I", unit: "Unidade", sinusRhythm: "Ritmo sinusal",
        fibrillation: "Fibrilhação auricular", inconclusive: "Inconclusivo", palpitations: "Batimento rápido, forte")
    static let japanese = ElectrocardiogramWords(
        name: "名前", birth: "生年月日", recorded: "記録日", classification: "分類", symptoms: "症状",
        software: "ソフトウェアバージョン", device: "デバイス", rate: "サンプルレート", hertz: "ヘルツ", lead: "誘導",
        leadOne: "第I誘導", unit: "単位", sinusRhythm: "洞調律", fibrillation: "心房細動", inconclusive: "判定不能",
        palpitations: "動悸, 頻脈")
}
