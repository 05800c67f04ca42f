/**
 * Writes the service, its pages and the files of deploy/ into a folder, for a package or an archive. Node does not run
 * TypeScript in node_modules, so the folder contains JavaScript: the same lines without their types.
 */
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { ROOT } from './copy-checkout.ts'

const COPIED = [
  'web/dist',
  'site/dist',
  'deploy',
  'server/database/migrations',
  'LICENSE',
  'CHANGELOG.md',
]
const isProduction = (file: string) =>
  !file.endsWith('.test.ts') && !file.startsWith('server/test/') && !file.includes('node_modules')

interface Manifest {
  name: string
  version: string
  license: string
  engines: Record<string, string>
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}
const readManifest = (file: string) =>
  JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as Manifest

export const VERSION: string = readManifest('package.json').version

export function stageServer(folder: string, version = VERSION) {
  for (const path of COPIED) {
    if (!existsSync(join(ROOT, path))) throw new Error(`${path} is missing. Run npm run build.`)
    cpSync(join(ROOT, path), join(folder, path), { recursive: true })
  }
  const write = (file: string, text: string, mode = 0o644) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text, { mode })
  }
  for (const file of globSync('{server,contract}/**/*.ts', { cwd: ROOT }).filter(isProduction)) {
    write(file.replace(/\.ts$/, '.js'), toJavaScript(file))
  }
  const command = readFileSync(join(ROOT, 'bin/coffer'), 'utf8')
  write('bin/coffer', command.replace('server/coffer.ts', 'server/coffer.js'), 0o755)
  const own = { ...readManifest('server/package.json'), version }
  write('server/package.json', JSON.stringify(own, undefined, 2))
  write('package.json', JSON.stringify(describePackage(version), undefined, 2))
}

/** Imports lead to the JavaScript, and those of the contract, which is not published, into this folder. */
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

function describePackage(version: string) {
  const { license, engines, optionalDependencies } = readManifest('package.json')
  const { name, dependencies } = readManifest('server/package.json')
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
