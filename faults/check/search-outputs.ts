/** Searches every place where a secret could have been left: logs, metrics, error bodies and all columns. */
import { spawn } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Findings } from './findings.ts'
import { findSecrets } from './find-secrets.ts'
import type { Setup } from '../setup/prepare-setup.ts'

/** Longer than any secret, so that a secret that spans two chunks is found. */
const OVERLAP = 512
/** Number of sessions and intents to search for; they are all created in the same way. */
const SAMPLES = 40

export async function searchOutputs(setup: Setup, metrics: readonly string[], findings: Findings) {
  const { database, services, secrets, topups, apps, journal } = setup
  const hidden = [...secrets, ...topups.secrets.slice(-SAMPLES)]
  const people = apps.flatMap(({ serviceUserIds }) => serviceUserIds.slice(0, 4))
  for (const { logFile } of services) {
    await searchStream('the log', createReadStream(logFile), [...hidden, ...people], findings)
  }
  for (const text of metrics) findSecrets('the metrics', text, [...hidden, ...people], findings)
  for (const { text } of journal.shapes) findSecrets('a response', text, hidden, findings)
  for (const text of topups.unexpected) findSecrets('a response', text, hidden, findings)
  const dump = spawn(join(database.binFolder, 'pg_dump'), [database.url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<number | null>((resolve) => dump.once('exit', resolve))
  await searchStream('the database', dump.stdout, hidden, findings)
  if ((await ended) !== 0) throw new Error('pg_dump failed, so the columns were not searched')
}

async function searchStream(
  location: string,
  stream: Readable,
  secrets: readonly string[],
  findings: Findings,
) {
  let tail = ''
  for await (const piece of stream.setEncoding('latin1')) {
    const text = tail + String(piece)
    // One finding is enough; a secret in every line would be reported a million times.
    if (findSecrets(location, text, secrets, findings) > 0) return
    tail = text.slice(-OVERLAP)
  }
}
