import Foundation
import HealthStorageFiles
import ProcessTestSupport

/// Kills a program that writes a store, cuts its power and fills its disk, and checks after each time that nothing is
/// lost.
///
///     torture kills COUNT SEED FOLDER      the last line tells what happened; the exit status is 1 if anything was lost
///     torture disk STEP SEED FOLDER        lets every STEP-th system call of a short program fail
@main
enum Torture {
    static func main() async {
        let words = CommandLine.arguments
        // The store is encrypted if HEALTHKIT_KEY_FILE names a key file.
        do {
            switch (words.dropFirst().first, words.count) {
            case ("kills", 5):
                exit(try kills(Int(words[2]) ?? 0, seed: UInt64(words[3]) ?? 0, folder: words[4]) ? 0 : 1)
            case ("disk", 5):
                exit(try disk(step: Int(words[2]) ?? 1, seed: UInt64(words[3]) ?? 0, folder: words[4]) ? 0 : 1)
            case ("write", 7):
                try await TortureWriter(
                    place: TorturePlace(folder: words[2]), round: Int(words[3]) ?? 0, seed: UInt64(words[4]) ?? 0,
                    limit: Int(words[5]),
                    mayFail: words[5] != "-", checkpoints: words[6] == "checkpoint"
                ).run()
            case ("check", 4):
                let findings = try await TortureCheck.run(TorturePlace(folder: words[2]), round: Int(words[3]) ?? 0)
                print(String(decoding: try JSONEncoder().encode(findings), as: UTF8.self))
                // The log stays as it is, for the next program to find.
                if (Int(words[3]) ?? 0) % 2 == 0 {
                    fflush(nil)
                    _exit(0)
                }
            default:
                print("usage: torture kills COUNT SEED FOLDER | torture disk STEP SEED FOLDER")
                exit(64)
            }
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(3)
        }
    }

    /// How a writer ends.
    private enum End: CaseIterable {
        /// By a signal from outside, at any moment.
        case signal
        /// In one of its own system calls, a write after a part of it.
        case systemCall
        /// In the same way, and what wasn't synced is lost.
        case powerCut
    }

    // MARK: Kills

    /// With `TORTURE_DISK_LIES`, the disk says that it has synced and hasn't: the torture must find out.
    private static let diskLies = ProcessInfo.processInfo.environment["TORTURE_DISK_LIES"] != nil

    private static func kills(_ count: Int, seed: UInt64, folder: String) throws -> Bool {
        var random = TortureRandom(state: seed)
        let disk = try buildDisk(folder)
        // A kill can't show that the disk lies: what wasn't synced is in the page cache, which survives the program.
        let ends: [End] = diskLies ? [.powerCut] : End.allCases
        var (total, powerCuts) = (TortureFindings(), 0)
        var (place, isSound) = (TorturePlace(folder: folder), true)
        for round in 0..<count {
            // A new store now and then: the first moments of a store are tortured, too. One that has lost something
            // stays as it is: a writer of a damaged store would only end with an error.
            if round % 20 == 0 || !isSound { place = try makePlace("\(folder)/store-\(round)") }
            let end = ends[round % ends.count]
            if end == .powerCut { powerCuts += 1 }
            try kill(place, round, seed, end, disk, &random)
            var findings = try check(place, round)
            isSound = findings.isSound
            if !isSound {
                findings.problems.append("Round \(round) (\(end)) of seed \(seed), in \(place.folder).")
            }
            total += findings
            for problem in findings.problems { print("problem: \(problem)") }
        }
        print(
            "\(count) kills, \(powerCuts) of them with a power failure: \(total.acknowledged) operations acknowledged, \(total.lost) lost, "
                + "\(total.halfDone) partial, \(total.missed) changes missed, \(total.repeated) repeated, "
                + "\(total.problems.count) other problems; seed \(seed).")
        return total.isSound
    }

    private static func makePlace(_ folder: String) throws -> TorturePlace {
        let place = TorturePlace(folder: folder)
        try FileManager.default.createDirectory(atPath: folder + "/disk", withIntermediateDirectories: true)
        try TortureState().write(place.state)
        return place
    }

    private static func kill(
        _ place: TorturePlace, _ round: Int, _ seed: UInt64, _ end: End, _ disk: String, _ random: inout TortureRandom
    ) throws {
        var environment: [String: String] = [:]
        if end != .signal {
            // Small numbers are the opening of the store, large ones any commit or checkpoint.
            let bound = 1 << (2 + random.next(below: 11))
            environment = [
                "LD_PRELOAD": preloaded(disk), "DISK_STORE": place.store,
                "DISK_KILL_AT": "\(1 + random.next(below: bound))",
            ]
        }
        unlink(place.journal)
        if end == .powerCut { environment["DISK_JOURNAL"] = place.journal }
        if diskLies { environment["DISK_LIES"] = "1" }
        let words = [
            "write", place.folder, "\(round)", "\(seed)", "-", random.next(below: 3) == 0 ? "checkpoint" : "-",
        ]
        let process = try start(words, environment, errors: place.errors)
        if end == .signal {
            let target = 200 + random.next(below: 20_000)
            let size = { (0...1).reduce(0) { sum, thread in sum + fileSize(place.log(round, thread)) } }
            while process.isRunning, size() < target { sched_yield() }
            for _ in 0..<random.next(below: 3_000) { sched_yield() }
            Foundation.kill(process.processIdentifier, SIGKILL)
        }
        process.waitUntilExit()
        try searchErrors(place, words)
        guard process.terminationReason == .uncaughtSignal, process.terminationStatus == SIGKILL else {
            let errors = FileManager.default.contents(atPath: place.errors) ?? Data()
            throw TortureFailure(
                "The writer of round \(round), seed \(seed), ended by itself with \(process.terminationStatus): \(String(decoding: errors, as: UTF8.self))"
            )
        }
        if end == .powerCut { try PowerCut(journal: place.journal).apply(to: place.store, using: &random) }
    }

    // MARK: A disk that fails

    private static func disk(step: Int, seed: UInt64, folder: String) throws -> Bool {
        var random = TortureRandom(state: seed)
        let disk = try buildDisk(folder)
        var (total, runs) = (TortureFindings(), 0)
        var call = 1
        for (number, name) in [(ENOSPC, "full"), (EIO, "broken"), (EROFS, "read-only"), (EACCES, "forbidden")] {
            call = 1 + random.next(below: step)
            var place = TorturePlace(folder: folder)
            var count = Int.max
            while call <= count {
                // A new store each time for the first calls, which create it.
                if runs % 20 == 0 || call < 60 { place = try makePlace("\(folder)/\(name)-\(runs)") }
                let lasts = random.next(below: 2) == 0
                let environment = [
                    "LD_PRELOAD": preloaded(disk), "DISK_STORE": place.store, "DISK_FAIL_AT": "\(call)",
                    "DISK_FAIL_COUNT": lasts ? "1000000" : "1",
                    "DISK_ERRNO": "\(number)", "DISK_COUNT": place.count,
                ]
                let process = try start(
                    ["write", place.folder, "\(runs)", "\(seed)", "8", "-"], environment, errors: place.errors)
                process.waitUntilExit()
                try searchErrors(place, [])
                if process.terminationReason != .exit || process.terminationStatus != 0 {
                    let errors = FileManager.default.contents(atPath: place.errors) ?? Data()
                    total.problems.append(
                        "With call \(call) of a disk that is \(name), the writer ended with \(process.terminationStatus): \(String(decoding: errors, as: UTF8.self))"
                    )
                }
                let counted = String(
                    decoding: FileManager.default.contents(atPath: place.count) ?? Data(), as: UTF8.self)
                if !lasts, call >= 60 { count = Int(counted.dropLast()) ?? count }
                var findings = try check(place, runs)
                if !findings.isSound {
                    findings.problems.append(
                        "Call \(call) of a disk that is \(name), \(lasts ? "for good" : "once"), in \(place.folder).")
                }
                total += findings
                call += step
                runs += 1
            }
        }
        total.problems.forEach { print("problem: \($0)") }
        print(
            "\(runs) runs on a disk that fails: \(total.acknowledged) operations acknowledged, \(total.lost) lost, \(total.halfDone) partial, "
                + "\(total.missed) changes missed, \(total.repeated) repeated, \(total.problems.count) other problems; seed \(seed)."
        )
        return total.isSound
    }

    // MARK: Programs

    /// Compiles disk.c.
    private static func buildDisk(_ folder: String) throws -> String {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("disk.c").path
        let library = folder + "/disk.so"
        let script =
            "\"$(command -v clang || command -v gcc || echo cc)\" -O1 -Wall -Wextra -Werror -shared -fPIC -o '\(library)' '\(source)' -ldl -lpthread"
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", script]
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw TortureFailure("\(source) can’t be compiled.") }
        return library
    }

    /// The library together with those that this process was started with.
    private static func preloaded(_ library: String) -> String {
        [library, ProcessInfo.processInfo.environment["LD_PRELOAD"] ?? ""].filter { !$0.isEmpty }.joined(separator: ":")
    }

    private static func start(
        _ words: [String], _ environment: [String: String] = [:], errors: String, output: Pipe? = nil
    ) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = words
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        _ = FileManager.default.createFile(atPath: errors, contents: nil)
        process.standardError = FileHandle(forWritingAtPath: errors)
        process.standardInput = FileHandle.nullDevice
        if let output { process.standardOutput = output }
        try process.run()
        return process
    }

    /// Searches a program's messages for health data, which they must not contain.
    private static func searchErrors(_ place: TorturePlace, _ words: [String]) throws {
        let errors = String(decoding: FileManager.default.contents(atPath: place.errors) ?? Data(), as: UTF8.self)
        let found = ChildMessages.suspicious(errors, of: words)
        guard found.isEmpty else { throw TortureFailure("What the writer says looks like health data: \(found)") }
    }

    private static func check(_ place: TorturePlace, _ round: Int) throws -> TortureFindings {
        let output = Pipe()
        let process = try start(["check", place.folder, "\(round)"], errors: place.errors, output: output)
        let answer = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try searchErrors(place, [place.folder])
        do {
            return try JSONDecoder().decode(TortureFindings.self, from: answer)
        } catch {
            let errors = String(decoding: FileManager.default.contents(atPath: place.errors) ?? Data(), as: UTF8.self)
            return TortureFindings(problems: ["The store can’t be checked: \(errors)"])
        }
    }

    private static func fileSize(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }
}
