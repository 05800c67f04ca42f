/** Password guessing at the widget's sign-in: hashing is limited, and debits keep their latency. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { compareLatency } from './compare-latency.ts'
import { required, showCounts, type Section } from './figures.ts'
import type { Target } from './prepare-target.ts'

const GUESSES_PER_SECOND = 200
const script = fileURLToPath(new URL('../../server/test/log-in-flood.ts', import.meta.url))

export async function guessPasswords(
  target: Target,
  options: { seconds: number },
): Promise<Section> {
  let counts: Record<string, number> = {}
  const { figures, watch } = await compareLatency(target, options.seconds, async () => {
    const clientId = target.apps[0]?.clientId ?? ''
    const args = [target.service.url, clientId, 'ada@example.com', String(GUESSES_PER_SECOND)]
    const child = spawn(process.execPath, [script, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const output = text(child.stdout)
    return {
      async stop() {
        child.kill('SIGTERM')
        await once(child, 'exit')
        ;({ counts } = JSON.parse(await output) as { counts: Record<string, number> })
      },
    }
  })
  watch.stop()
  const others = Object.keys(counts).filter((status) => status !== '401' && status !== '429')
  return {
    title: `${GUESSES_PER_SECOND} login attempts per second`,
    figures: [
      required('Responses', showCounts(counts), '401 and 429 only', others.length === 0),
      ...figures,
    ],
  }
}
