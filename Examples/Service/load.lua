-- Decant: JSON decoding for Swift and C.
-- SPDX-License-Identifier: MIT
--
-- What wrk sends: ten documents in turn, three of which are not users.

local documents = {
  '{"id": 5, "name": "Tester", "email": "tester@test.com"}',
  '{"id": 6, "name": "Ann"}',
  '{"id": 7, "name": "Zo\\u00eb \\"Z\\" \\ud83d\\ude00", "email": null}',
  '{"id": "8", "name": "Tester"}',
  '{"email": "someone@test.com", "name": "In another order", "id": 9, "more": [1, 2, {"a": []}]}',
  '{"id": 10, "name": "A name that is longer than most, and an address too", "email": "someone@example.com"}',
  '{"id": 11, "name": "Tester",}',
  '{"id": -12, "name": ""}',
  '{"id": 13}',
  '{"id": 9007199254740993, "name": "Tester", "email": "tester@test.com"}',
}

local requests = {}
local turn = 0

function init()
  for place, document in ipairs(documents) do
    requests[place] = wrk.format("POST", "/user", { ["Content-Type"] = "application/json" }, document)
  end
end

function request()
  turn = turn % #requests + 1
  return requests[turn]
end

function done(summary, latency)
  io.write(string.format("%d requests a second, %d in all\n",
    summary.requests / summary.duration * 1e6, summary.requests))
  io.write(string.format("latency %.2f ms in the middle, %.2f ms at 99 %%, %.2f ms at most\n",
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, latency.max / 1e3))
  io.write(string.format("%.1f %% refused\n", 100 * summary.errors.status / summary.requests))
  local errors = summary.errors
  io.write(string.format("%d connections failed\n", errors.connect + errors.read + errors.write + errors.timeout))
end
