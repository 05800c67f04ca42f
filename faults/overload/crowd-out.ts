/** Slow clients and idle sockets: those who behave must not notice, and nobody holds a connection for ever. */
import { setTimeout as sleep } from 'node:timers/promises'
import { compareLatency, showGrowth, type Disturbance } from './compare-latency.ts'
import { promised, told, type Section } from './figures.ts'
import { askAndIgnore, dribble, holdIdle, type Crowd } from './hold-sockets.ts'
import type { Target } from './prepare-target.ts'

const IDLE = 5_000
const SLOW = 300
const IGNORANT = 20
/** The service waits 10 s for headers, 15 s for a whole request and 20 to 40 s for somebody to read. */
const PATIENCE_SECONDS = 50
const KNOCK_MS = 1_000
/** A socket with its parser and buffers. */
const KILOBYTES_PER_SOCKET = 32

export async function crowdOut(target: Target, options: { seconds: number }): Promise<Section> {
  const { url } = target.service
  const crowds: Record<string, Crowd> = {}
  let startedMs = 0
  async function gather(): Promise<Disturbance> {
    startedMs = performance.now()
    crowds['idle'] = await holdIdle(url, IDLE)
    crowds['headers'] = await dribble(url, SLOW, 'headers')
    crowds['body'] = await dribble(url, SLOW, 'body')
    crowds['ignorant'] = await askAndIgnore(url, IGNORANT)
    return { stop: () => undefined }
  }
  const { figures, watch } = await compareLatency(target, options.seconds, gather)
  const held = Object.values(crowds).reduce((sum, crowd) => sum + crowd.open() + crowd.closed(), 0)
  await sleep(Math.max(0, startedMs + PATIENCE_SECONDS * 1000 - performance.now()))
  // The first is answered by a reset, the second finds it.
  for (let knocks = 0; knocks < 2; knocks++) {
    crowds['ignorant']?.knock()
    await sleep(KNOCK_MS)
  }
  const evicted = (name: string) => crowds[name]?.closed() ?? 0
  const left = (name: string) => {
    const open = crowds[name]?.open() ?? NaN
    return { text: `${open} of ${open + evicted(name)}`, isMet: open === 0 }
  }
  const [idle, ignorant] = [left('idle'), left('ignorant')]
  const later = `after ${PATIENCE_SECONDS} s`
  for (const crowd of Object.values(crowds)) crowd.end()
  return {
    title: 'Slow clients and idle sockets',
    figures: [
      told(
        'Held',
        `${IDLE} idle, ${SLOW} with headers and ${SLOW} with bodies byte by byte, ${IGNORANT} who do not read`,
      ),
      ...figures,
      showGrowth(watch, (held * KILOBYTES_PER_SOCKET) / 1024),
      promised(`Idle sockets that are held ${later}`, idle.text, 'none', idle.isMet),
      promised(`Connections of who does not read, ${later}`, ignorant.text, 'none', ignorant.isMet),
      told('Thrown out: slow headers, slow bodies', `${evicted('headers')}, ${evicted('body')}`),
    ],
  }
}
