/** `npm run pack:sdks -- FOLDER`: both SDKs as they would be published, as files whose names do not contain a version. */
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runNpmPack } from './run-npm-pack.ts'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Name a target folder: npm run pack:sdks -- ../my-shop')
const target = resolve(process.env['INIT_CWD'] ?? '.', folder)
mkdirSync(target, { recursive: true })
for (const workspace of ['sdk', 'embed']) {
  const options = { cwd: ROOT, encoding: 'utf8' } as const
  execFileSync('npm', ['run', 'build', '--workspace', workspace], { ...options, stdio: 'pipe' })
  runNpmPack(ROOT, target, `coffer-${workspace}`, ['--workspace', workspace])
}
