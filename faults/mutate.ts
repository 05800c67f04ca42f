/**
 * Loaded into a process before anything else (`node --import`): rewrites the source of our own files while they are
 * loaded, to add failpoints and planted bugs. Production code contains no switch for this. If the text of a mutation is
 * not found exactly once, the process exits: a bug that was not planted must not count as caught.
 */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { MUTATIONS, type Mutation } from './mutations.ts'

declare global {
  /** Called by mutated code: whether the process should kill itself at this failpoint. */
  var diesAt: (failpoint: string) => boolean
}

const names = (process.env['FAULTS_MUTATIONS'] ?? '').split(',').filter((name) => name !== '')
const root = fileURLToPath(new URL('..', import.meta.url))
const wanted = new Map<string, Mutation[]>()
for (const name of names) {
  const mutations = MUTATIONS[name]
  if (mutations === undefined) fail(`unknown mutation ${name}`)
  for (const mutation of mutations) {
    const path = root + mutation.file
    wanted.set(path, [...(wanted.get(path) ?? []), mutation])
  }
}

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
    const mutations = url.startsWith('file:') ? wanted.get(fileURLToPath(url)) : undefined
    if (mutations === undefined) return loaded
    const source = mutations.reduce(mutate, readFileSync(fileURLToPath(url), 'utf8'))
    return { ...loaded, source }
  },
})

function mutate(source: string, { file, find, replace }: Mutation): string {
  const parts = source.split(find)
  if (parts.length !== 2)
    fail(
      `${file} must contain this exactly once, but contains it ${parts.length - 1} times: ${find}`,
    )
  return parts.join(replace)
}

function fail(why: string): never {
  process.stderr.write(`faults/mutate.ts: ${why}\n`)
  process.exit(70)
}
