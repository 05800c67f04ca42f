import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Functions that undo what was started or created, in the order of creation; they run in reverse order. */
export type CleanUp = (() => unknown)[]

/** Runs work with a temporary folder, and cleans up everything when it is done, fails or is interrupted. */
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
