/**
 * `npm run pack:server -- FOLDER`: the service as an npm package, coffer-server.tgz, which runs without the repository.
 * Node does not run TypeScript in node_modules, so the package contains JavaScript: the same lines without their types.
 */
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { ROOT } from './copy-checkout.ts'
import { runNpmPack } from './run-npm-pack.ts'

const COPIED = [
  'web/dist',
  'site/dist',
  'deploy',
  'server/database/migrations',
  'server/package.json',
  'LICENSE',
  'CHANGELOG.md',
]
const isProduction = (file: string) =>
  !file.endsWith('.test.ts') && !file.startsWith('server/test/') && !file.includes('node_modules')

const [folder] = process.argv.slice(2)
if (folder === undefined || folder.startsWith('-')) {
  process.stderr.write('Name a target folder: npm run pack:server -- FOLDER\n')
  process.exit(folder === '--help' ? 0 : 1)
}
const target = resolve(process.env['INIT_CWD'] ?? '.', folder)
mkdirSync(target, { recursive: true })
const staging = mkdtempSync(join(tmpdir(), 'coffer-pack-'))
try {
  for (const path of COPIED) {
    if (!existsSync(join(ROOT, path))) throw new Error(`${path} is missing. Run npm run build.`)
    cpSync(join(ROOT, path), join(staging, path), { recursive: true })
  }
  for (const file of globSync('{server,contract}/**/*.ts', { cwd: ROOT }).filter(isProduction)) {
    write(file.replace(/\.ts$/, '.js'), toJavaScript(file))
  }
  const command = readFileSync(join(ROOT, 'bin/coffer'), 'utf8')
  write('bin/coffer', command.replace('server/coffer.ts', 'server/coffer.js'), 0o755)
  write('package.json', JSON.stringify(describePackage(), undefined, 2))
  runNpmPack(staging, target, 'coffer-server')
} finally {
  rmSync(staging, { recursive: true })
}

function write(file: string, text: string, mode = 0o644) {
  mkdirSync(dirname(join(staging, file)), { recursive: true })
  writeFileSync(join(staging, file), text, { mode })
}

/** Imports lead to the JavaScript, and those of the contract, which is not published, into this package. */
function toJavaScript(file: string): string {
  const source = readFileSync(join(ROOT, file), 'utf8')
  const toContract = relative(dirname(file), 'contract') || '.'
  return stripTypeScriptTypes(source)
    .replaceAll(/(['"])@coffer\/contract\/([\w/-]+)\1/g, (_, quote: string, name: string) => {
      const path = `${toContract}/${name}.js`
      return `${quote}${path.startsWith('.') ? path : `./${path}`}${quote}`
    })
    .replaceAll(/((?:from |import |import\(|new URL\()(['"])\.{1,2}\/[\w./-]+)\.ts\2/g, '$1.js$2')
}

function describePackage() {
  const read = (file: string) =>
    JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as Record<string, Record<string, string>>
  const { version, license, engines, optionalDependencies } = read('package.json')
  const { name, dependencies } = read('server/package.json')
  const { '@coffer/contract': _, ...others } = dependencies ?? {}
  return {
    name,
    version,
    description: 'Coffer, a wallet service that other apps can build on.',
    license,
    type: 'module',
    bin: { coffer: 'bin/coffer' },
    engines,
    dependencies: others,
    optionalDependencies,
  }
}
