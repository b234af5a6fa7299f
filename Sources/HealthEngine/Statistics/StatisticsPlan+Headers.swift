import HealthModel
import HealthPages

extension StatisticsPlan {
    /// Adds what headers alone can answer and returns the indexes of the pages whose bodies must be read.
    func answerFromHeaders(_ totals: inout [BucketTotals]) -> [Int] {
        var rest: [Int] = []
        var reach = -Double.infinity
        for index in pages.indices {
            let isIsolated = isIsolated(index, reachBefore: reach)
            reach = max(reach, pages[index].header.greatestEnd)
            if let bucket = bucket(holding: pages[index].header),
                canAnswer(pages[index], isIsolated: isIsolated),
                let conversion = units.conversion(pages[index].header.units[0])
            {
                totals[bucket].add(pages[index].header, conversion)
            } else {
                rest.append(index)
            }
        }
        return rest
    }

    private func canAnswer(_ page: PageOutline, isIsolated: Bool) -> Bool {
        let header = page.header
        // A sum that is no finite number hides NaN among the values.
        guard series?.meets(header) != true else { return false }
        guard page.isWhole, !needs.separate, !needs.level, header.units.count == 1, header.sum.isFinite
        else { return false }
        if needs.sum, sources.classCount > 1 {
            // By itself a page may hold one class only: then it neither covers nor is covered.
            guard isIsolated, !header.hasUserEntered, holdsOneClass(header) else { return false }
        }
        if needs.duration || needs.recent {
            guard isIsolated else { return false }
        }
        if needs.weightedMean {
            guard !header.hasZeroLength else { return false }
        }
        return true
    }

    private func holdsOneClass(_ header: PageHeader) -> Bool {
        let groups = sources.groups(by: .mergeClass)
        let classes = header.revisions.lazy.map { groups[Int($0)] }
        return classes.allSatisfy { $0 == classes.first }
    }
}

extension BucketTotals {
    /// Adds a whole page of one unit.
    fileprivate mutating func add(_ header: PageHeader, _ conversion: UnitConversion) {
        // The conversion of a sum of `weight` values at once.
        func converted(_ sum: Double, weight: Double) -> Double {
            guard !conversion.isIdentity else { return sum }
            return (sum * conversion.multiplier + conversion.offset * weight) / conversion.divisor
        }
        let total = converted(header.sum, weight: Double(header.count))
        hasSamples = true
        sum += total
        valueSum += total
        count += header.count
        minimum = min(minimum, conversion(header.minimum))
        maximum = max(maximum, conversion(header.maximum))
        integral += converted(header.weightedSum, weight: header.totalDuration)
        integralTime += header.totalDuration
        duration += header.coveredDuration
        offerRecent(
            value: conversion(header.latest.value), start: header.latest.start, end: header.latest.end)
    }
}
