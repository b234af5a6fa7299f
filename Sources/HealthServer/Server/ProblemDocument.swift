import HTTPTypes
import HealthDashboard
import Hummingbird
import NIOCore

/// A problem as a page, for people who follow a link or type an address.
enum ProblemDocument {
    /// Returns whether a browser shows the answer to a request as a page. Programs and scripts ask for JSON or anything.
    static func isAccepted(by request: Request) -> Bool {
        [.get, .head].contains(request.method)
            && request.headers[values: .accept].contains { $0.lowercased().contains("text/html") }
    }

    /// The response: the page's own style, and the way back to it.
    static func response(_ problem: Problem, in language: DashboardLanguage) -> Response {
        var fields = problem.headers
        fields[.contentLanguage] = language.name
        fields[.vary] = "Accept, Accept-Language"
        fields[.contentType] = "text/html; charset=utf-8"
        fields[.contentSecurityPolicy] = SecurityPolicy.page
        return Response(
            status: problem.status, headers: fields,
            body: ResponseBody(byteBuffer: ByteBuffer(string: text(problem, in: language))))
    }

    static func text(_ problem: Problem, in language: DashboardLanguage) -> String {
        let title = language.localized(problem.code.title).escapedForHTML
        // A reason that is only known in English says so to screen readers.
        let detail = language.text(problem.detail).map { "<p>\($0.escapedForHTML)</p>" }
        let open = language.localized("Open OpenHealthKit").escapedForHTML
        let sheets = ["tokens", "layout", "controls", "content"].map {
            "<link rel=\"stylesheet\" href=\"/styles/\($0).css\">"
        }
        return """
            <!doctype html>
            <html lang="\(language.name)">
            <head>
            <meta charset="utf-8">
            <title>\(title) · OpenHealthKit</title>
            <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
            <script src="/app/theme.js"></script>
            \(sheets.joined(separator: "\n"))
            <link rel="icon" href="/icons/icon.svg" type="image/svg+xml">
            </head>
            <body>
            <main class="center"><div class="card"><div class="stack">
            <h1>\(title)</h1>
            \(detail ?? "<p lang=\"en\">\(problem.detail.escapedForHTML)</p>")
            <p><a class="button primary" href="/">\(open)</a></p>
            </div></div></main>
            </body>
            </html>

            """
    }
}
