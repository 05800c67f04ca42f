/** `npm run pack:sdks -- FOLDER`: both SDKs as they would be published, as files whose names do not contain a version. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Name a target folder: npm run pack:sdks -- ../my-shop')
const target = resolve(process.env['INIT_CWD'] ?? '.', folder)
mkdirSync(target, { recursive: true })
for (const workspace of ['sdk', 'embed']) {
  const options = { cwd: ROOT, encoding: 'utf8' } as const
  execFileSync('npm', ['run', 'build', '--workspace', workspace], { ...options, stdio: 'pipe' })
  const args = ['pack', '--json', '--workspace', workspace, '--pack-destination', target]
  const output: unknown = JSON.parse(execFileSync('npm', args, { ...options, stdio: 'pipe' }))
  const [packed] = (Array.isArray(output) ? output : Object.values(output as object)) as {
    filename: string
  }[]
  if (packed === undefined) throw new Error(`npm pack created no file for ${workspace}`)
  renameSync(join(target, packed.filename), join(target, `coffer-${workspace}.tgz`))
}
