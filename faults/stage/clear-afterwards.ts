import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What was started and made, in the order of its beginning; it ends the other way round. */
export type Clearing = (() => unknown)[]

/** Gives the work a folder, and clears everything away when it is done, fails or is interrupted. */
export async function clearAfterwards<Result>(
  prefix: string,
  work: (folder: string, clearing: Clearing) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), prefix))
  const clearing: Clearing = [() => rmSync(folder, { recursive: true, force: true })]
  async function clear() {
    for (let step = clearing.pop(); step; step = clearing.pop()) await step()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void clear().finally(() => process.exit(1)))
  }
  try {
    return await work(folder, clearing)
  } finally {
    await clear()
  }
}
