/** Programs that tests need and npm does not install. */
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

export function findProgram(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  return folders.map((folder) => join(folder, name)).find(existsSync)
}

/**
 * Why a test that needs something is skipped; false if it runs. CI installs what is not `nightly`, and the nightly job
 * installs everything, so there the reason is an error.
 */
export function skipIf(reason: string | false, when: 'always' | 'nightly' = 'always') {
  const isRequired =
    process.env['NIGHTLY'] === 'true' || (process.env['CI'] === 'true' && when === 'always')
  if (reason !== false && isRequired) throw new Error(reason)
  return reason
}

/** `packageName`: the Debian package that contains the program. */
export function skipWithout(program: string, packageName = program, when?: 'always' | 'nightly') {
  const isMissing = findProgram(program) === undefined
  const reason = `${program} is not installed (Debian: apt-get install ${packageName}).`
  return skipIf(isMissing && reason, when)
}
