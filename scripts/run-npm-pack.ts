import { execFileSync } from 'node:child_process'
import { renameSync } from 'node:fs'
import { join } from 'node:path'

/** Packs a package as npm would publish it, into a file whose name does not contain a version, and prints its path. */
export function runNpmPack(cwd: string, target: string, name: string, args: string[] = []) {
  const options = { cwd, encoding: 'utf8', stdio: 'pipe' } as const
  const pack = ['pack', '--json', '--pack-destination', target, ...args]
  const output: unknown = JSON.parse(execFileSync('npm', pack, options))
  const [packed] = (Array.isArray(output) ? output : Object.values(output as object)) as {
    filename: string
  }[]
  if (packed === undefined) throw new Error(`npm pack created no file for ${name}.`)
  const file = join(target, `${name}.tgz`)
  renameSync(join(target, packed.filename), file)
  process.stdout.write(`Wrote ${file}\n`)
}
