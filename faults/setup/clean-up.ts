import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What was started and made, in the order of its beginning; it ends the other way round. */
export type CleanUp = (() => unknown)[]

/** Gives the work a folder, and clears everything away when it is done, fails or is interrupted. */
export async function withCleanUp<Result>(
  prefix: string,
  work: (folder: string, cleanUp: CleanUp) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), prefix))
  const cleanUp: CleanUp = [() => rmSync(folder, { recursive: true, force: true })]
  async function clear() {
    for (let step = cleanUp.pop(); step; step = cleanUp.pop()) await step()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void clear().finally(() => process.exit(1)))
  }
  try {
    return await work(folder, cleanUp)
  } finally {
    await clear()
  }
}
