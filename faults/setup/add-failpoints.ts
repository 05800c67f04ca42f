/**
 * Loaded into a service process of the audit before anything else: adds the failpoints to the source while it is loaded.
 * Production code contains no switch for this.
 */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { changeSource } from './change-source.ts'
import { FAILPOINTS } from './failpoints.ts'

declare global {
  /** Called at the failpoints: whether the process should kill itself here. */
  var diesAt: (failpoint: string) => boolean
}

const changed = new URL(`../../${FAILPOINTS.file}`, import.meta.url).href
let deadlyFailpoint: unknown

globalThis.diesAt = (failpoint) => failpoint === deadlyFailpoint

process.on('message', (message: { failpoint?: unknown }) => {
  deadlyFailpoint = message.failpoint
})
// The listener must not keep the process alive.
process.channel?.unref()

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    if (url !== changed) return loaded
    return { ...loaded, source: changeSource(readFileSync(fileURLToPath(url), 'utf8'), FAILPOINTS) }
  },
})
