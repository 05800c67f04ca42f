/** Checks the layout: one name per admin area everywhere, small folders, no barrels, SQL where it belongs. */
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { ADMIN_ENDPOINTS, ADMIN_SIGN_IN_ENDPOINTS } from '@coffer/contract/admin/endpoints'

const AREAS = [
  'sign-in',
  'client-apps',
  'webhooks',
  'people',
  'grants',
  'operations',
  'topups',
  'overview',
  'switches',
  'operators',
  'audit',
]
/** The entry of a published package re-exports everything that it offers. */
const ENTRIES = ['sdk/coffer.ts', 'embed/mount-wallet.ts']

const files: string[] = globSync(
  '{contract,server,sandbox,web,sdk,embed,example,site,scripts,bench,faults,models,e2e}/**/*.{ts,tsx}',
  { exclude: ['**/node_modules/**', '**/dist/**'] },
)
const isTest = (file: string) => /\.(test|spec)\.ts$/.test(file)
const sources = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))
const production = [...sources].filter(([file]) => !isTest(file))

/** The files of this repository that a file imports, including types. */
function importsOf(file: string, source: string): string[] {
  return [...source.matchAll(/^(?:import|export) [^;]*?from '(\.[^']+)'/gm)].map(
    ([, target = '']) => join(dirname(file), target),
  )
}

function foldersIn(folder: string): string[] {
  return globSync(`${folder}/*/`).map((each) => basename(each))
}

/** The area of an admin file; undefined if it belongs to none. */
function areaOf(file: string): string | undefined {
  const area = /^(?:server|web)\/admin\/([\w-]+)\//.exec(file)?.[1]
  return AREAS.find((each) => each === area)
}

describe('the layout', () => {
  it('the eleven admin areas have the same name in contract, server, web and in every path', () => {
    const faults = AREAS.flatMap((area) =>
      [`contract/admin/${area}.ts`, `server/admin/${area}/routes.ts`, `web/admin/${area}`].filter(
        (path) => !existsSync(path),
      ),
    )
    assert.deepEqual(faults, [])
    assert.deepEqual(foldersIn('server/admin').toSorted(), AREAS.toSorted())
    assert.deepEqual(foldersIn('web/admin').toSorted(), [...AREAS, 'kit'].toSorted())
    const endpoints = Object.values({ ...ADMIN_ENDPOINTS, ...ADMIN_SIGN_IN_ENDPOINTS })
    const paths = endpoints.map(({ path }) => /^\/api\/admin\/([\w-]+)/.exec(path)?.[1] ?? path)
    assert.deepEqual([...new Set(paths)].toSorted(), AREAS.toSorted())
  })

  it('ARCHITECTURE.md lists them with these names', () => {
    const text = readFileSync('ARCHITECTURE.md', 'utf8')
    assert.deepEqual(
      AREAS.filter((area) => !text.includes(`\`${area}\``)),
      [],
    )
  })

  it('no admin area imports another one', () => {
    const faults = [...sources].flatMap(([file, source]) =>
      isTest(file)
        ? []
        : importsOf(file, source)
            .filter((target) => areaOf(file) && areaOf(target) && areaOf(file) !== areaOf(target))
            .map((target) => `${file} imports ${target}`),
    )
    assert.deepEqual(faults, [])
  })

  it('no file only re-exports others', () => {
    const faults = production.filter(
      ([file, source]) =>
        !ENTRIES.includes(file) && /^export (\*|\{[^}]*\}) .*from '/m.test(source),
    )
    assert.deepEqual(
      faults.map(([file]) => file),
      [],
    )
  })

  it('only query files, the database module and the batch send SQL', () => {
    const allowed =
      /queries\.ts$|^server\/(database|test)\/|^server\/ledger\/(post\/(batch|lanes|connect-lane)|read\/read-durably)\.ts$/
    const faults = production
      .filter(
        ([file, source]) =>
          file.startsWith('server/') && !allowed.test(file) && /\.query[(<]/.test(source),
      )
      .map(([file]) => file)
    assert.deepEqual(faults, [])
  })

  it('scripts do not depend on the tests', () => {
    const faults = production
      .filter(([file]) => file.startsWith('scripts/'))
      .flatMap(([file, source]) =>
        importsOf(file, source)
          .filter((target) => target.startsWith('server/test/'))
          .map((target) => `${file} imports ${target}`),
      )
    assert.deepEqual(faults, [])
  })
})
