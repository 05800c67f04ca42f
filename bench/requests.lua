-- The requests that wrk sends and how it counts the responses. Parameters are the arguments after "--":
-- scenario, number of wallets, clientId, clientSecret, a tag that makes the references of this run unique.
local threads = {}

function setup(thread)
  thread:set('number', #threads)
  threads[#threads + 1] = thread
end

local head, tail, pick, is_debit
local sent = 0
ok, bad, first_bad = 0, 0, ''

-- The same formula as in bench/fill.ts.
local function service_user(i)
  return string.format('su_%08x%024x', (i * 2654435761) % 4294967296, i)
end

function init(args)
  local scenario, wallets, id, secret, tag = args[1], tonumber(args[2]), args[3], args[4], args[5]
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
  local credentials = 'clientId=' .. id .. '&clientSecret=' .. secret .. '&serviceUserId='
  is_debit = scenario ~= 'read' and scenario ~= 'wallet'
  if is_debit then
    head = 'POST /api/server/wallet/debit' .. host
      .. 'Content-Type: application/json\r\nContent-Length: '
    tail = string.format('{"clientId":"%s","clientSecret":"%s","referenceType":"ORDER_PAYMENT",'
      .. '"description":"order","referenceId":"%s-%d-', id, secret, tag, number)
  elseif scenario == 'read' then
    head = 'GET /api/server/wallet/check-balance?' .. credentials
    tail = '&requiredAmount=19.99' .. host .. '\r\n'
  else
    head = 'GET /api/server/wallet?' .. credentials
    tail = '&limit=10' .. host .. '\r\n'
  end
end

function request()
  local user = service_user(pick())
  if not is_debit then return head .. user .. tail end
  sent = sent + 1
  local body = tail .. sent .. '","serviceUserId":"' .. user .. '","amount":'
    .. math.random(1000) / 100 .. '}'
  return head .. #body .. '\r\n\r\n' .. body
end

function response(status, _, body)
  if status == 200 and body:find('"balance":%d') then
    ok = ok + 1
  else
    bad = bad + 1
    if first_bad == '' then first_bad = status .. ' ' .. body:sub(1, 300) end
  end
end

local function quote(text)
  return '"' .. text:gsub('[%c"\\]', ' ') .. '"'
end

function done(summary, latency)
  local sum = { ok = 0, bad = 0 }
  local sample = ''
  for _, thread in ipairs(threads) do
    sum.ok = sum.ok + thread:get('ok')
    sum.bad = sum.bad + thread:get('bad')
    if sample == '' then sample = thread:get('first_bad') end
  end
  local errors = summary.errors
  io.write(string.format(
    '\nRESULT {"ok":%d,"bad":%d,"seconds":%.6f,"p50Ms":%.3f,"p99Ms":%.3f,"maxMs":%.3f,"broken":%d,"firstBad":%s}\n',
    sum.ok, sum.bad, summary.duration / 1e6, latency:percentile(50) / 1e3,
    latency:percentile(99) / 1e3, latency.max / 1e3,
    errors.connect + errors.read + errors.write + errors.timeout, quote(sample)))
end
