-- The requests that wrk sends and how it counts the responses. Parameters are the arguments after "--": scenario,
-- number of wallets, clientId, clientSecret, a tag that makes the references of this run unique, and the requests per
-- second of each thread. With 0, a connection sends its next request at once. Otherwise each request has its time: a
-- free connection waits for it, so that slow responses delay no other request while some connections are free.
local ffi = require('ffi')
ffi.cdef('struct moment { long seconds; long nanoseconds; }; int clock_gettime(int clock, struct moment *at);')

local BATCH = 100
-- More requests than a thread has in flight, so that every target is decided.
local LAG = 64
local threads = {}

function setup(thread)
  thread:set('number', #threads)
  threads[#threads + 1] = thread
end

local head, opening, debit, tail, pick
local wanted = 1
local sent = 0
ok, bad, first_bad, late_ms = 0, 0, '', 0

-- The same formula as in bench/fill.ts.
local function service_user(i)
  return string.format('su_%08x%024x', (i * 2654435761) % 4294967296, i)
end

local function next_debit()
  sent = sent + 1
  return debit .. sent .. '","serviceUserId":"' .. service_user(pick()) .. '","amount":'
    .. math.random(1000) / 100 .. '}'
end

local function post(body)
  return head .. #body .. '\r\n\r\n' .. body
end

local function request_debit()
  return post(opening .. next_debit())
end

local function request_batch()
  local debits = {}
  for i = 1, BATCH do debits[i] = '{"type":"debit",' .. next_debit() end
  return post(opening .. table.concat(debits, ',') .. ']}')
end

-- wrk calls `request` once without sending it, so the first targets do not exist.
local requests, taken = 0, BATCH
local give, take, prefix

-- Half of the operations are new, and the other half takes from operations of earlier requests.
local function request_pairs()
  requests = requests + 1
  local operations = {}
  for i = 1, BATCH do
    if requests <= LAG or i % 2 == 1 then
      operations[i] = '{"type":"' .. give .. '",' .. next_debit()
    else
      taken = taken + 1
      operations[i] = take .. taken .. '"},"referenceType":"TAKE","referenceId":"' .. prefix .. taken .. '"}'
    end
  end
  return post(opening .. table.concat(operations, ',') .. ']}')
end

local function request_read()
  return head .. service_user(pick()) .. tail
end

local function now_ms()
  local at = ffi.new('struct moment')
  ffi.C.clock_gettime(1, at)
  return tonumber(at.seconds) * 1e3 + tonumber(at.nanoseconds) / 1e6
end

-- Called for every request, also before the first one of a connection. Returns milliseconds.
local function wait_for_time(every_ms)
  local next_ms
  return function()
    local now = now_ms()
    next_ms = (next_ms or now) + every_ms
    if now > next_ms then late_ms = math.max(late_ms, now - next_ms) end
    return math.max(0, math.floor(next_ms - now + 0.5))
  end
end

function init(args)
  local scenario, wallets, id, secret, tag = args[1], tonumber(args[2]), args[3], args[4], args[5]
  local rate = tonumber(args[6])
  if rate > 0 then delay = wait_for_time(1000 / rate) end
  math.randomseed(tonumber(tag:sub(1, 6), 16) + number)
  for _ = 1, 10 do math.random() end
  if scenario == 'hot' then
    pick = function() return 7 end
  elseif scenario == 'mix' then
    pick = function()
      if math.random(100) <= 80 then return math.random(20) end
      return math.random(wallets)
    end
  else
    pick = function() return math.random(wallets) end
  end
  local host = ' HTTP/1.1\r\nHost: ' .. wrk.headers['Host'] .. '\r\n'
  if scenario == 'read' or scenario == 'wallet' then
    local is_wallet = scenario == 'wallet'
    head = 'GET /api/server/wallet' .. (is_wallet and '' or '/check-balance')
      .. '?clientId=' .. id .. '&clientSecret=' .. secret .. '&serviceUserId='
    tail = (is_wallet and '&limit=10' or '&requiredAmount=19.99') .. host .. '\r\n'
    request = request_read
    return
  end
  local is_pairs = scenario == 'capture' or scenario == 'refund'
  local is_batch = scenario == 'batch' or is_pairs
  head = 'POST /api/server/wallet/' .. (is_batch and 'batch' or 'debit') .. host
    .. 'Content-Type: application/json\r\nContent-Length: '
  opening = string.format('{"clientId":"%s","clientSecret":"%s",', id, secret)
  debit = string.format('"referenceType":"ORDER_PAYMENT","description":"order","referenceId":"%s-%d-',
    tag, number)
  if is_batch then opening = opening .. '"operations":[' end
  wanted = is_batch and BATCH or 1
  request = is_batch and request_batch or request_debit
  if is_pairs then
    give = scenario == 'capture' and 'hold' or 'debit'
    prefix = tag .. '-' .. number .. '-'
    take = string.format('{"type":"%s","%s":{"referenceType":"ORDER_PAYMENT","referenceId":"%s', scenario, give, prefix)
    request = request_pairs
  end
end

function response(status, _, body)
  local _, balances = body:gsub('"balance":%d', '')
  if status == 200 then ok = ok + balances end
  if status == 200 and balances == wanted then return end
  bad = bad + 1
  if first_bad == '' then first_bad = status .. ' ' .. body:sub(1, 300) end
end

local function quote(text)
  return '"' .. text:gsub('[%c"\\]', ' ') .. '"'
end

function done(summary, latency)
  local sum = { ok = 0, bad = 0 }
  local sample, late = '', 0
  for _, thread in ipairs(threads) do
    sum.ok = sum.ok + thread:get('ok')
    sum.bad = sum.bad + thread:get('bad')
    late = math.max(late, thread:get('late_ms'))
    if sample == '' then sample = thread:get('first_bad') end
  end
  local errors = summary.errors
  io.write(string.format(
    '\nRESULT {"ok":%d,"bad":%d,"seconds":%.6f,"p50Ms":%.3f,"p99Ms":%.3f,"maxMs":%.3f,"lateMs":%.3f,"broken":%d,"firstBad":%s}\n',
    sum.ok, sum.bad, summary.duration / 1e6, latency:percentile(50) / 1e3,
    latency:percentile(99) / 1e3, latency.max / 1e3, late,
    errors.connect + errors.read + errors.write + errors.timeout, quote(sample)))
end
