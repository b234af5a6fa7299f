// Not compiled here: SwiftUI and the keychain are Apple's. An Xcode project adds this file and links the product CompanionFeature.

import CompanionFeature
import HealthKit
import HealthSync
import SwiftUI
import UniformTypeIdentifiers

@main
struct CompanionApp: App {
    @AppStorage("person") private var person = ""
    @State private var model = CompanionModel(store: HKHealthStore(), servers: KeychainServerStore())
    @Environment(\.scenePhase) private var phase

    var body: some Scene {
        WindowGroup {
            CompanionView(model: model)
                .task { await model.launch() }
                // The code's link, opened by the camera with the scheme or universal link of the app.
                .onOpenURL { link in
                    Task {
                        await model.pair(link, deviceName: UIDevice.current.name, person: person.isEmpty ? nil : person)
                    }
                }
                .onChange(of: phase) { if phase == .active { Task { await model.exchange() } } }
        }
    }
}

struct CompanionView: View {
    let model: CompanionModel
    @AppStorage("person") private var person = ""
    @State private var link = ""
    @State private var isChoosing = false

    var body: some View {
        Form {
            Section {
                Text(model.status)
                if model.isPaired {
                    Button("Exchange now") { Task { await model.exchange() } }
                } else {
                    TextField("Your name on the server, if it has several people", text: $person)
                    TextField("Link of the code", text: $link)
                    Button("Pair") {
                        guard let url = URL(string: link) else { return }
                        Task {
                            await model.pair(
                                url, deviceName: UIDevice.current.name, person: person.isEmpty ? nil : person)
                        }
                    }
                }
            }
            Section("Seeds") {
                Button("Load a file") { isChoosing = true }
                Button("Remove what files have brought", role: .destructive) { Task { await model.removeSeeds() } }
            }
            Section("Not written") {
                ForEach(model.leftOut.sorted(by: { $0.key < $1.key }), id: \.key) { type, reason in
                    LabeledContent(type, value: reason)
                }
            }
        }
        .fileImporter(isPresented: $isChoosing, allowedContentTypes: [.data]) { result in
            guard case .success(let file) = result else { return }
            Task {
                let isScoped = file.startAccessingSecurityScopedResource()
                defer { if isScoped { file.stopAccessingSecurityScopedResource() } }
                await model.load(file)
            }
        }
    }
}

/// Keeps the server in the keychain, as one item.
struct KeychainServerStore: ServerStore {
    private struct Item: Codable {
        var url: URL
        var person: String
        var token: String?
    }

    private var query: [CFString: Any] {
        [kSecClass: kSecClassGenericPassword, kSecAttrService: "HealthSync", kSecAttrAccount: "server"]
    }

    func load() throws -> SyncServer? {
        var found: CFTypeRef?
        let status = SecItemCopyMatching(query.merging([kSecReturnData: true]) { $1 } as CFDictionary, &found)
        guard status == errSecSuccess, let data = found as? Data else { return nil }
        let item = try JSONDecoder().decode(Item.self, from: data)
        return SyncServer(url: item.url, person: item.person, token: item.token)
    }

    func save(_ server: SyncServer) throws {
        let item = Item(url: server.url, person: server.person, token: server.token)
        SecItemDelete(query as CFDictionary)
        let values: [CFString: Any] = [
            kSecValueData: try JSONEncoder().encode(item),
            // Also in the background, after the first unlock.
            kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        ]
        let status = SecItemAdd(query.merging(values) { $1 } as CFDictionary, nil)
        guard status == errSecSuccess else { throw NSError(domain: NSOSStatusErrorDomain, code: Int(status)) }
    }
}
