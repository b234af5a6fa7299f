-- Requests for wrk, and one line of figures at the end: requests a second, the 99th percentile in seconds, failures.
--
--   wrk … -s load.lua URL -- TOKEN KIND PATH PEOPLE
--
-- KIND: same (always PATH), new (weeks that nobody asked for before), people (any week of any of PEOPLE people).

local token, kind, path, people, same
local counter = 0

local function week(day, second, person)
  local start = os.date("!%Y-%m-%dT%H:%M:%SZ", 1451606400 + day * 86400 + second)
  local finish = os.date("!%Y-%m-%dT%H:%M:%SZ", 1451606400 + (day + 7) * 86400 + second)
  return string.format("/v1/people/%s/statistics?type=stepCount&start=%s&end=%s&interval=day", person, start, finish)
end

function init(arguments)
  token, kind, path, people = arguments[1], arguments[2], arguments[3], tonumber(arguments[4])
  wrk.headers["Authorization"] = "Bearer " .. token
  -- The same weeks in every run, but others than in the run before: its number is in the path.
  counter = (tonumber(path) or 0) * 4000000
  math.randomseed(7)
  if kind == "same" then same = wrk.format("GET", path) end
end

function request()
  if kind == "new" then
    counter = counter + 1
    -- 3,600 days, each with 86,400 beginnings.
    return wrk.format("GET", week(counter % 3600, math.floor(counter / 3600) % 86400, "me"))
  elseif kind == "people" then
    return wrk.format("GET", week(7 * math.random(0, 519), 0, "p" .. math.random(1, people)))
  end
  return same
end

function done(summary, latency)
  local failures = summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.status + summary.errors.timeout
  io.write(string.format("figures %.3f %.9f %d\n", summary.requests / (summary.duration / 1e6), latency:percentile(99) / 1e6, failures))
end
