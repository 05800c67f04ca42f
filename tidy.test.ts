/** Checks the house itself: who imports whom, where SQL and the environment stand, and that every promise is tested. */
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import type { Endpoint } from '@coffer/contract/endpoint'
import { ERRORS, type ErrorCode } from '@coffer/contract/errors'
import { ADMIN_SIGN_IN_ENDPOINTS, ADMIN_ENDPOINTS } from '@coffer/contract/admin/endpoints'
import { ACCOUNT_ENDPOINTS } from '@coffer/contract/account-api'
import { SERVER_ENDPOINTS } from '@coffer/contract/server-api'
import { WIDGET_ENDPOINTS, WIDGET_PAGE_ENDPOINTS } from '@coffer/contract/widget-api'
import { refusalsOf } from './server/test/contract-refusals.ts'
import { ROOMS } from './tidy-rooms.ts'

/** The only files outside the rooms that the rooms may import: everything else there is above them. */
const GROUND_FLOOR = ['server/service-error.ts', 'server/config.ts', 'server/context.ts']

const files = globSync(
  '{contract,server,sandbox,web,sdk,embed,example,site,scripts,bench,faults,e2e}/**/*.{ts,tsx}',
  {
    exclude: ['**/node_modules/**', '**/dist/**'],
  },
).concat('tidy.test.ts')
/** Everything that the service answers with a promise. */
const ENDPOINTS: Record<string, Endpoint> = {
  ...SERVER_ENDPOINTS,
  ...WIDGET_ENDPOINTS,
  ...WIDGET_PAGE_ENDPOINTS,
  ...ACCOUNT_ENDPOINTS,
  ...ADMIN_SIGN_IN_ENDPOINTS,
  ...ADMIN_ENDPOINTS,
}
/** Files that import nothing, so that pages may take values from them without a large bundle. */
const IMPORT_FREE = ['errors', 'limits', 'money', 'origins', 'widget-events'].map(
  (name) => `contract/${name}.ts`,
)
/** What stands behind the names of the packages that are published. */
const PUBLISHED: Record<string, string> = {
  '@coffer/sdk': 'sdk/coffer.ts',
  '@coffer/embed': 'embed/mount-wallet.ts',
  '@coffer/embed/element': 'embed/define-coffer-wallet.ts',
}
const sources = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))
const isTest = (file: string) =>
  file.endsWith('.test.ts') || /^(server|sdk|example)\/test\//.test(file)
const production = [...sources].filter(([file]) => !isTest(file))

function roomOf(file: string): string {
  const rooms = Object.keys(ROOMS).toSorted((a, b) => b.length - a.length)
  return rooms.find((room) => file.startsWith(`${room}/`)) ?? file
}

function importsOf(file: string, source: string) {
  const imports = source.matchAll(/^(?:import|export) (type )?[^;]*?from '([^']+)'/gm)
  return [...imports].flatMap(([, type, target = '']) => {
    const isType = type !== undefined
    const published = PUBLISHED[target]
    if (published) return [{ target: published, isType }]
    if (target.startsWith('@coffer/')) return [{ target: `${target.slice(8)}.ts`, isType }]
    if (target.startsWith('.')) return [{ target: join(dirname(file), target), isType }]
    return []
  })
}

/** Fails with the list of everything that is wrong, not only the first. */
function assertNone(faults: string[]) {
  assert.deepEqual(faults, [])
}

describe('tidy', () => {
  it('every room imports only the rooms below it', () => {
    const faults = production.flatMap(([file, source]) =>
      importsOf(file, source).flatMap(({ target, isType }) => {
        const room = roomOf(file)
        const allowed = ROOMS[room] ?? []
        const other = roomOf(target)
        if (other === room || allowed.includes('*')) return []
        const isContext = target === 'server/context.ts' && isType
        const isAbove = other === 'server' && room.startsWith('server/') && !isContext
        const isGround = GROUND_FLOOR.includes(target) && target !== 'server/context.ts'
        if (allowed.includes(other) && (!isAbove || isGround)) return []
        return [`${file} may not import ${target}`]
      }),
    )
    assertNone(faults)
  })

  it('the ledger, money and the tables of the contract import nothing that they should not', () => {
    assertNone(IMPORT_FREE.filter((file) => /^import /m.test(sources.get(file) ?? '')))
    const imports = production.flatMap(([file, source]) =>
      file.startsWith('server/ledger/') ? importsOf(file, source).map(({ target }) => target) : [],
    )
    const outside = imports.filter(
      (target) => target.startsWith('server/') && !target.startsWith('server/ledger/'),
    )
    const known = [
      'server/database/binary-array.ts',
      'server/database/coalesce.ts',
      'server/database/connect.ts',
      'server/database/statement.ts',
      'server/service-error.ts',
    ]
    assertNone(outside.filter((target) => !known.includes(target)))
  })

  it('pages take only types and import-free values from the contract, and one file posts messages to the parent', () => {
    const pages = production.filter(([file]) => file.startsWith('web/'))
    const values = pages.flatMap(([file, source]) =>
      importsOf(file, source)
        .filter(({ target, isType }) => roomOf(target) === 'contract' && !isType)
        .filter(({ target }) => !IMPORT_FREE.includes(target))
        .map(({ target }) => `${file} imports values of ${target}`),
    )
    assertNone(values)
    const speakers = pages.filter(([, source]) =>
      /window\.(parent|opener)|postMessage/.test(source),
    )
    assertNone(speakers.map(([file]) => file).filter((file) => file !== 'web/widget/host.ts'))
  })

  it('no file imports in a circle', () => {
    const graph = new Map(
      production.map(([file, source]) => [
        file,
        importsOf(file, source).flatMap(({ target, isType }) => (isType ? [] : [target])),
      ]),
    )
    const done = new Set<string>()
    function walk(file: string, path: string[]): string[] {
      if (path.includes(file)) return [[...path, file].join(' → ')]
      if (done.has(file)) return []
      const circles = (graph.get(file) ?? []).flatMap((next) => walk(next, [...path, file]))
      done.add(file)
      return circles
    }
    assertNone([...graph.keys()].flatMap((file) => walk(file, [])))
  })

  it('Fastify, the SDK of the processor, SQL and the environment stand only where they belong', () => {
    const inService = production.filter(([file]) => file.startsWith('server/'))
    const holding = (pattern: RegExp, allowed: RegExp) =>
      inService
        .filter(([file, text]) => pattern.test(text) && !allowed.test(file))
        .map(([file]) => file)
    assertNone(
      holding(
        /from 'fastify'/,
        /routes\.ts$|^server\/(http|pages)\/|^server\/(app|admin\/access)\.ts$/,
      ),
    )
    assertNone(holding(/from 'stripe'/, /^server\/processor\//))
    const sql = /['`](with|select|insert into|update|delete from|declare|fetch) [a-z(]/
    assertNone(holding(sql, /queries\.ts$|^server\/database\//))
    assertNone(holding(/process\.env/, /^server\/config\.ts$/))
    assertNone(holding(/update ledger\.|insert into ledger\./, /^server\/ledger\//))
  })

  it('no folder has a name that says nothing, and no file is a barrel', () => {
    const folders = new Set(files.flatMap((file) => dirname(file).split('/')))
    assertNone(['utils', 'helpers', 'common', 'lib', 'core'].filter((name) => folders.has(name)))
    assertNone(files.filter((file) => file.endsWith('/index.ts')))
  })

  it('every refusal that an endpoint promises has a test of its status and code', () => {
    const faults: string[] = []
    for (const endpoint of Object.values(ENDPOINTS)) {
      const name = `${endpoint.method} ${endpoint.path}`
      const suites = [...sources.values()].flatMap((text) =>
        text.split(/^(?=describe\()/m).filter((suite) => suite.startsWith(`describe('${name}'`)),
      )
      const suite = suites.join('\n')
      const generated = refusalsOf(endpoint).map(([code]) => code)
      for (const code of Object.keys(endpoint.errors) as ErrorCode[]) {
        const title = `${endpoint.errors[code]?.status ?? ERRORS[code].status} ${code}`
        const isTested = generated.includes(code) || suite.includes(`it('${title}`)
        if (!isTested) faults.push(`${name} lacks a test "${title} …"`)
      }
    }
    assertNone(faults)
  })

  it('every link between the documents leads somewhere', () => {
    const documents = globSync('{*.md,docs/**/*.md}')
    const faults = documents.flatMap((document) =>
      [...readFileSync(document, 'utf8').matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)]
        .map(([, target = '']) => target)
        .filter((target) => !/^[a-z]+:/.test(target))
        .filter((target) => !existsSync(join(dirname(document), target)))
        .map((target) => `${document} points to ${target}, which is not there`),
    )
    assertNone(faults)
  })
})
