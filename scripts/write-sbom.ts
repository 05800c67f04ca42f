/**
 * Prints the software bill of materials (CycloneDX, JSON): every package that the service and its pages contain, as the
 * lock file has it. `npm sbom` leaves out packages that are also used in development.
 * Run: npm run --silent sbom > sbom.json
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ROOT } from './copy-checkout.ts'

interface Locked {
  version?: string
  integrity?: string
  license?: string
  link?: boolean
  resolved?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

interface Component {
  type: 'library'
  'bom-ref': string
  name: string
  version: string
  purl: string
  hashes: { alg: string; content: string }[]
  licenses: { license: { name: string } }[]
}

/** The parts of the project that run in production; the pages are built from web, and the first one names Node. */
const PARTS = ['', 'server', 'contract', 'web']

export function createSbom(version?: string) {
  const lock = JSON.parse(readFileSync(`${ROOT}package-lock.json`, 'utf8')) as {
    version: string
    packages: Record<string, Locked>
  }
  const { packages } = lock
  const components = new Map<string, Component>()
  const dependencies = new Map<string, string[]>()

  /** Returns the references of the packages that a package needs. */
  function visit(path: string): string[] {
    const { dependencies: needed, optionalDependencies: optional } = packages[path] ?? {}
    const names = Object.keys({ ...needed, ...optional })
    return names.flatMap((name) => {
      const found = resolve(packages, path, name)
      if (found === undefined) return []
      const target = packages[found] as Locked
      // A part of the project, which is not a package of its own.
      if (target.link) return []
      const component = describe(name, target)
      const ref = component['bom-ref']
      if (!components.has(ref)) {
        components.set(ref, component)
        dependencies.set(ref, [])
        dependencies.set(ref, visit(found))
      }
      return [ref]
    })
  }

  const release = version ?? lock.version
  const own = `coffer@${release}`
  dependencies.set(own, [...new Set(PARTS.flatMap(visit))])
  const byRef = (a: { 'bom-ref': string }, b: { 'bom-ref': string }) =>
    a['bom-ref'] < b['bom-ref'] ? -1 : 1
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      component: { type: 'application', 'bom-ref': own, name: 'coffer', version: release },
    },
    components: [...components.values()].toSorted(byRef),
    dependencies: [...dependencies]
      .map(([ref, dependsOn]) => ({ ref, dependsOn: [...new Set(dependsOn)].toSorted() }))
      .toSorted((a, b) => (a.ref < b.ref ? -1 : 1)),
  }
}

/** As Node does: in the folder of the package, then in the folders above it. */
function resolve(packages: Record<string, Locked>, path: string, name: string): string | undefined {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const candidate = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
    if (candidate in packages) return candidate
    if (folder === '') return undefined
  }
}

function describe(name: string, { version = '', integrity = '', license }: Locked): Component {
  const [algorithm = '', hash = ''] = integrity.split(' ')[0]?.split('-') ?? []
  const content = Buffer.from(hash, 'base64').toString('hex')
  return {
    type: 'library',
    'bom-ref': `${name}@${version}`,
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    hashes: [{ alg: algorithm.replace('sha', 'SHA-'), content }],
    licenses: license === undefined ? [] : [{ license: { name: license } }],
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(`${JSON.stringify(createSbom(), undefined, 2)}\n`)
}
