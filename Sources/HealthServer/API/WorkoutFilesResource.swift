import Foundation
import HTTPTypes
import HealthDevices
import HealthFormats
import Hummingbird
import NIOCore

/// A workout as a file for programs that people train with.
struct WorkoutFilesResource: PersonResource {
    func addRoutes(to group: RouterGroup<PersonRequestContext>) {
        for format in WorkoutFileFormat.allCases {
            group.get(RouterPath("workouts/{uuid}/\(format.rawValue)")) { request, context in
                try await file(format, request, context)
            }
        }
    }

    private func file(
        _ format: WorkoutFileFormat, _ request: Request, _ context: PersonRequestContext
    ) async throws -> Response {
        let (uuid, zone) = (try context.uuid(), try context.calendarOnly(of: request).timeZone)
        let file = try await context.read { engine, caller in
            do {
                return try WorkoutFileExporter(format, FormatOptions(timeZone: zone)).file(
                    of: uuid, in: engine, as: caller)
            } catch WorkoutFileError.noRoute {
                throw Problem(.notFound, "The workout has no route, and GPX has nothing else. Ask for fit or tcx.")
            } catch is WorkoutFileError {
                throw Problem(.notFound, "No workout with this UUID was found, or it’s not accessible.")
            }
        }
        return Response(
            status: .ok,
            headers: [
                .contentType: format.media, .contentDisposition: "attachment; filename=\"\(file.name)\"",
            ], body: ResponseBody(byteBuffer: ByteBuffer(bytes: file.bytes)))
    }
}
