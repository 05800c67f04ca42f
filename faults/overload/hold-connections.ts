/** Slow clients and idle sockets: normal clients must not notice, and no connection stays open indefinitely. */
import { setTimeout as sleep } from 'node:timers/promises'
import { compareLatency, showGrowth, type Disturbance } from './compare-latency.ts'
import { required, reported, type Section } from './figures.ts'
import { sendWithoutReading, sendSlowly, holdIdle, type SlowClients } from './hold-sockets.ts'
import type { Target } from './prepare-target.ts'

const IDLE = 5_000
const SLOW = 300
const NOT_READING = 20
/** The service waits 10 s for headers, 15 s for a whole request and 20 to 40 s for a client that does not read. */
const PATIENCE_SECONDS = 50
const KNOCK_MS = 1_000
/** A socket with its parser and buffers. */
const KILOBYTES_PER_SOCKET = 32

export async function holdConnections(
  target: Target,
  options: { seconds: number },
): Promise<Section> {
  const { url } = target.service
  const groups: Record<string, SlowClients> = {}
  let startedMs = 0
  async function gather(): Promise<Disturbance> {
    startedMs = performance.now()
    groups['idle'] = await holdIdle(url, IDLE)
    groups['headers'] = await sendSlowly(url, SLOW, 'headers')
    groups['body'] = await sendSlowly(url, SLOW, 'body')
    groups['notReading'] = await sendWithoutReading(url, NOT_READING)
    return { stop: () => undefined }
  }
  const { figures, watch } = await compareLatency(target, options.seconds, gather)
  const held = Object.values(groups).reduce((sum, group) => sum + group.open() + group.closed(), 0)
  await sleep(Math.max(0, startedMs + PATIENCE_SECONDS * 1000 - performance.now()))
  // The first write causes a reset, the second one detects it.
  for (let knocks = 0; knocks < 2; knocks++) {
    groups['notReading']?.sendMore()
    await sleep(KNOCK_MS)
  }
  const evicted = (name: string) => groups[name]?.closed() ?? 0
  const left = (name: string) => {
    const open = groups[name]?.open() ?? NaN
    return { text: `${open} of ${open + evicted(name)}`, isMet: open === 0 }
  }
  const [idle, notReading] = [left('idle'), left('notReading')]
  const later = `after ${PATIENCE_SECONDS} s`
  for (const group of Object.values(groups)) group.end()
  return {
    title: 'Slow clients and idle sockets',
    figures: [
      reported(
        'Held',
        `${IDLE} idle, ${SLOW} with headers and ${SLOW} with bodies byte by byte, ${NOT_READING} that do not read`,
      ),
      ...figures,
      showGrowth(watch, (held * KILOBYTES_PER_SOCKET) / 1024),
      required(`Idle sockets still open ${later}`, idle.text, 'none', idle.isMet),
      required(
        `Connections of clients that do not read, ${later}`,
        notReading.text,
        'none',
        notReading.isMet,
      ),
      reported(
        'Closed by the service: slow headers, slow bodies',
        `${evicted('headers')}, ${evicted('body')}`,
      ),
    ],
  }
}
