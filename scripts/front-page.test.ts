/** The documents that a newcomer reads first: they are short, mention only what exists, and show code that compiles. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { ROOT } from './copy-checkout.ts'
import { readBlocks } from './read-blocks.ts'

const read = (file: string) => readFileSync(`${ROOT}${file}`, 'utf8')

/** Fails with the complete list of problems, not only the first one. */
function assertNone(problems: unknown[]) {
  assert.deepEqual(problems, [])
}

/** Documents that describe the code and mention its files. */
const MAPS = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'docs/configuration.md',
  'docs/ledger.md',
  'docs/glossary.md',
]

describe('the documents about the code', () => {
  it('mention only files and folders that exist', () => {
    const folders = globSync('*/', { cwd: ROOT }).join('|').replaceAll('/', '')
    const path = new RegExp(`\`((?:${folders}|\\.github)/[\\w./-]*|[\\w-]+\\.test\\.ts)\``, 'g')
    const found = MAPS.flatMap((file) =>
      [...read(file).matchAll(path)].map(([, name = '']) => ({ file, name })),
    )
    assert(found.length > 60)
    assertNone(
      found
        .filter(({ name }) => !name.includes('/NNNN-') && !existsSync(`${ROOT}${name}`))
        .map(({ file, name }) => `${file} names ${name}, which does not exist`),
    )
  })
})

describe('README.md', () => {
  it('shows pictures that exist, each in light and dark', () => {
    const names = [...read('README.md').matchAll(/(?:src|srcset)="([^"]+)"/g)].map(
      ([, name]) => name,
    )
    assert.equal(names.length, 4)
    assertNone(names.filter((name) => !existsSync(`${ROOT}${name}`)))
    assert.equal(names.filter((name) => name?.endsWith('-dark.png')).length, 2)
  })

  it('shows SDK code that compiles', () => {
    const code = readBlocks(read('README.md'))
      .filter(({ language }) => language === 'ts')
      .map(({ text }) => text)
    assert.equal(code.length, 1)
    const folder = mkdtempSync(join(tmpdir(), 'coffer-readme-'))
    const given = `declare const [serviceUrl, clientId, clientSecret]: string[]
declare const user: { serviceUserId: string }, order: { id: string }
console.log(balance, replayed)
`
    writeFileSync(join(folder, 'readme.mts'), [...code, given].join('\n'))
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: 'esnext',
      module: 'nodenext',
      allowImportingTsExtensions: true,
      types: ['node'],
      typeRoots: [`${ROOT}node_modules/@types`],
      paths: { '@coffer/sdk': [`${ROOT}sdk/coffer.ts`] },
    }
    const config = { compilerOptions, files: ['readme.mts'] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const { stdout } = spawnSync(`${ROOT}node_modules/.bin/tsc`, ['-p', folder], {
      encoding: 'utf8',
    })
    rmSync(folder, { recursive: true })
    assert.equal(stdout, '')
  })
})
