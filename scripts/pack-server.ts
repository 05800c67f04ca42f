/** `npm run pack:server -- FOLDER`: the service as an npm package, coffer-server.tgz, which runs without the repository. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { runNpmPack } from './run-npm-pack.ts'
import { stageServer } from './stage-server.ts'

const [folder] = process.argv.slice(2)
if (folder === undefined || folder.startsWith('-')) {
  process.stderr.write('Name a target folder: npm run pack:server -- FOLDER\n')
  process.exit(folder === '--help' ? 0 : 1)
}
const target = resolve(process.env['INIT_CWD'] ?? '.', folder)
mkdirSync(target, { recursive: true })
const staging = mkdtempSync(join(tmpdir(), 'coffer-pack-'))
try {
  stageServer(staging)
  runNpmPack(staging, target, 'coffer-server')
} finally {
  rmSync(staging, { recursive: true })
}
