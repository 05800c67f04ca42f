/** Checks which module imports which, where SQL and the environment are used, and that every error is tested. */
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import type { Endpoint } from '@coffer/contract/endpoint'
import { ERRORS, type ErrorCode } from '@coffer/contract/errors'
import { ADMIN_SIGN_IN_ENDPOINTS, ADMIN_ENDPOINTS } from '@coffer/contract/admin/endpoints'
import { ACCOUNT_ENDPOINTS } from '@coffer/contract/account/account'
import { SERVER_ENDPOINTS } from '@coffer/contract/server/wallet'
import { WIDGET_ENDPOINTS, WIDGET_PAGE_ENDPOINTS } from '@coffer/contract/widget/widget'
import { WIDGET_CARD_ENDPOINTS } from '@coffer/contract/widget/cards'
import { refusalsOf } from './server/test/contract-refusals.ts'
import { MODULES } from './tidy-modules.ts'

/** The only files outside the modules that the modules may import. */
const SHARED_FILES = [
  'server/service-error.ts',
  'server/read-amount.ts',
  'server/config.ts',
  'server/context.ts',
  'server/seal.ts',
]

const files = globSync(
  '{contract,server,sandbox,web,sdk,embed,example,site,scripts,bench,faults,models,e2e}/**/*.{ts,tsx}',
  {
    exclude: ['**/node_modules/**', '**/dist/**'],
  },
).concat('tidy.test.ts')
/** Every endpoint of the contract. */
const ENDPOINTS: Record<string, Endpoint> = {
  ...SERVER_ENDPOINTS,
  ...WIDGET_ENDPOINTS,
  ...WIDGET_PAGE_ENDPOINTS,
  ...WIDGET_CARD_ENDPOINTS,
  ...ACCOUNT_ENDPOINTS,
  ...ADMIN_SIGN_IN_ENDPOINTS,
  ...ADMIN_ENDPOINTS,
}
/** Files that import nothing, so that pages can import values from them without a large bundle. */
const IMPORT_FREE = [
  'account/automatic-terms',
  'errors',
  'languages',
  'limits',
  'money',
  'origins',
  'widget/events',
].map((name) => `contract/${name}.ts`)
/** The sources behind the names of the published packages. */
const PUBLISHED: Record<string, string> = {
  '@coffer/sdk': 'sdk/coffer.ts',
  '@coffer/embed': 'embed/mount-wallet.ts',
  '@coffer/embed/element': 'embed/define-coffer-wallet.ts',
}
const sources = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))
const isTest = (file: string) =>
  file.endsWith('.test.ts') || /^(server|sdk|example)\/test\//.test(file)
const production = [...sources].filter(([file]) => !isTest(file))

function moduleOf(file: string): string {
  const modules = Object.keys(MODULES).toSorted((a, b) => b.length - a.length)
  return modules.find((module) => file.startsWith(`${module}/`)) ?? file
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

/** Fails with the complete list of problems, not only the first one. */
function assertNone(faults: string[]) {
  assert.deepEqual(faults, [])
}

describe('tidy', () => {
  it('every module imports only the modules below it', () => {
    const faults = production.flatMap(([file, source]) =>
      importsOf(file, source).flatMap(({ target, isType }) => {
        const module = moduleOf(file)
        const allowed = MODULES[module] ?? []
        const other = moduleOf(target)
        if (other === module || allowed.includes('*')) return []
        const isContext = target === 'server/context.ts' && isType
        const isAbove = other === 'server' && module.startsWith('server/') && !isContext
        const isShared = SHARED_FILES.includes(target) && target !== 'server/context.ts'
        if (allowed.includes(other) && (!isAbove || isShared)) return []
        return [`${file} may not import ${target}`]
      }),
    )
    assertNone(faults)
  })

  it('the ledger and the import-free files of the contract import nothing that is not allowed', () => {
    assertNone(IMPORT_FREE.filter((file) => /^import /m.test(sources.get(file) ?? '')))
    const imports = production.flatMap(([file, source]) =>
      file.startsWith('server/ledger/') ? importsOf(file, source).map(({ target }) => target) : [],
    )
    const outside = imports.filter(
      (target) => target.startsWith('server/') && !target.startsWith('server/ledger/'),
    )
    const known = [
      'server/database/advisory-locks.ts',
      'server/database/binary-array.ts',
      'server/database/create-loader.ts',
      'server/database/watch-connections.ts',
      'server/database/connect.ts',
      'server/database/prune.ts',
      'server/database/statement.ts',
      'server/service-error.ts',
    ]
    assertNone(outside.filter((target) => !known.includes(target)))
  })

  it('models know only the contract', () => {
    const PURE =
      /^models\/[a-z]+\/(model|views|commands|state|accounts|responses|decide|apps|roles)\.ts$/
    const models = production.filter(([file]) => PURE.test(file))
    const faults = models.flatMap(([file, source]) =>
      importsOf(file, source)
        .filter(({ target }) => !/^(contract|models)\//.test(target))
        .map(({ target }) => `${file} imports ${target}`),
    )
    assertNone(faults)
  })

  it('pages import only types and import-free values from the contract, and one file posts messages to the parent', () => {
    const pages = production.filter(([file]) => file.startsWith('web/'))
    const values = pages.flatMap(([file, source]) =>
      importsOf(file, source)
        .filter(({ target, isType }) => moduleOf(target) === 'contract' && !isType)
        .filter(({ target }) => !IMPORT_FREE.includes(target))
        .map(({ target }) => `${file} imports values of ${target}`),
    )
    assertNone(values)
    const speakers = pages.filter(([, source]) =>
      /window\.(parent|opener)|postMessage/.test(source),
    )
    assertNone(speakers.map(([file]) => file).filter((file) => file !== 'web/widget/parent.ts'))
  })

  it('Fastify, the SDK of the processor, SQL and the environment are used only where they belong', () => {
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
    // Archiving moves operations and changes no balance.
    const ledger = /^server\/ledger\/|^server\/archive\/archive-queries\.ts$/
    assertNone(holding(/update ledger\.|insert into ledger\./, ledger))
  })

  it('no folder has a meaningless name, and no file is a barrel', () => {
    const folders = new Set(files.flatMap((file) => dirname(file).split('/')))
    assertNone(['utils', 'helpers', 'common', 'lib', 'core'].filter((name) => folders.has(name)))
    assertNone(files.filter((file) => file.endsWith('/index.ts')))
  })

  it('every error of an endpoint has a test of its status and code', () => {
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

  it('every link between the documents has a target', () => {
    const documents = globSync('{*.md,docs/**/*.md}')
    const faults = documents.flatMap((document) =>
      [...readFileSync(document, 'utf8').matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)]
        .map(([, target = '']) => target)
        .filter((target) => !/^[a-z]+:/.test(target))
        .filter((target) => !existsSync(join(dirname(document), target)))
        .map((target) => `${document} points to ${target}, which does not exist`),
    )
    assertNone(faults)
  })
})
