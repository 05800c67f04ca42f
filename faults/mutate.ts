/**
 * Loaded into a process before anything else (`node --import`): rewrites the source of our own files while they are
 * loaded, for failpoints and to bring known bugs back. Production code knows nothing of it. A mutation whose text is
 * not found exactly once ends the process: a bug that was not brought back must not pass as caught.
 */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { MUTATIONS, type Mutation } from './mutations.ts'

declare global {
  /** Asked by mutated code: whether the process was told to die there. */
  var diesAt: (failpoint: string) => boolean
}

const names = (process.env['FAULTS_MUTATIONS'] ?? '').split(',').filter((name) => name !== '')
const root = fileURLToPath(new URL('..', import.meta.url))
const wanted = new Map<string, Mutation[]>()
for (const name of names) {
  const mutations = MUTATIONS[name]
  if (mutations === undefined) fail(`there is no mutation ${name}`)
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
// Listening must not keep a process alive that has come to its end.
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
  if (parts.length !== 2) fail(`${file} contains ${parts.length - 1} times, not once: ${find}`)
  return parts.join(replace)
}

function fail(why: string): never {
  process.stderr.write(`faults/mutate.ts: ${why}\n`)
  process.exit(70)
}
