/**
 * A busy backend with the SDK and `batch: true`. Arguments: the address of the service, how many calls it makes at a
 * time, seconds, then those of requests.lua. With a rate, it calls at fixed times however long the calls take.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createCoffer } from '../sdk/coffer.ts'

const [serviceUrl, atOnce, seconds, , wallets, clientId, clientSecret, tag, rate] =
  process.argv.slice(2)
const coffer = createCoffer({ serviceUrl, clientId, clientSecret, batch: true })
const startMs = performance.now()
const endMs = startMs + Number(seconds) * 1000
const latencies: number[] = []
let ok = 0
let bad = 0
let firstBad = ''
let sent = 0
let lateMs = 0

/** The same formula as in bench/fill.ts. */
function serviceUser(wallet: number): string {
  const scattered = (BigInt(wallet) * 2654435761n) % 4294967296n
  const hex = (value: bigint | number, length: number) => value.toString(16).padStart(length, '0')
  return `su_${hex(scattered, 8)}${hex(wallet, 24)}`
}

async function debit(dueMs: number) {
  const serviceUserId = serviceUser(1 + Math.floor(Math.random() * Number(wallets)))
  const amount = Math.ceil(Math.random() * 1000) / 100
  const pair = { referenceType: 'ORDER_PAYMENT', referenceId: `${tag}-${sent++}` }
  try {
    await coffer.debit({ serviceUserId, amount, ...pair, description: 'order' })
    ok++
    latencies.push(performance.now() - dueMs)
  } catch (error) {
    bad++
    firstBad ||= String(error)
  }
}

async function callInTurn() {
  while (performance.now() < endMs) await debit(performance.now())
}

async function callAtTimes(everyMs: number) {
  const calls: Promise<void>[] = []
  for (let dueMs = startMs; dueMs < endMs;) {
    const nowMs = performance.now()
    for (; dueMs <= nowMs && dueMs < endMs; dueMs += everyMs) {
      lateMs = Math.max(lateMs, nowMs - dueMs)
      calls.push(debit(dueMs))
    }
    await sleep(1)
  }
  await Promise.all(calls)
}

if (Number(rate) > 0) await callAtTimes(1000 / Number(rate))
else await Promise.all(Array.from({ length: Number(atOnce) }, callInTurn))
latencies.sort((a, b) => a - b)
const percentile = (share: number) => latencies[Math.floor(share * (latencies.length - 1))] ?? 0
const result = {
  ok,
  bad,
  broken: 0,
  seconds: (performance.now() - startMs) / 1000,
  p50Ms: percentile(0.5),
  p99Ms: percentile(0.99),
  maxMs: percentile(1),
  lateMs,
  firstBad,
}
console.log(`RESULT ${JSON.stringify(result)}`)
