/** Every code block in the documents is tested, and every command that they mention exists. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { before, describe, it } from 'node:test'
import { startSandbox } from '../sandbox/start-sandbox.ts'
import { TEST_CARDS } from '../sandbox/test-cards.ts'
import {
  checkLine,
  checkMention,
  FILE_VARIABLES,
  loadProgram,
  VARIABLES,
} from './check-commands.ts'
import { ROOT } from './copy-checkout.ts'
import { readBlocks } from './read-blocks.ts'

const GUIDE = 'e2e/guide.spec.ts'
const LANGUAGES = 'scripts/other-languages.test.ts'
const HERE = 'scripts/documents.test.ts'

/**
 * File → language → how its blocks are tested: the test that runs them; `commands`: every line is a valid command;
 * or `picture`: there is nothing to run.
 */
const PROOFS: Record<string, Record<string, string>> = {
  'README.md': { sh: 'commands', '': GUIDE, ts: 'scripts/front-page.test.ts' },
  'CONTRIBUTING.md': { sh: 'commands' },
  'ARCHITECTURE.md': { mermaid: 'picture' },
  'docs/configuration.md': { sh: 'commands' },
  'docs/containers.md': { sh: 'commands' },
  'docs/integration.md': { sh: GUIDE, js: GUIDE, html: GUIDE },
  'docs/testing.md': { sh: GUIDE, js: GUIDE },
  'docs/ledger.md': { text: 'picture' },
  'docs/other-languages.md': { python: LANGUAGES, go: LANGUAGES, php: LANGUAGES },
  'docs/install.md': { sh: 'scripts/write-sums.test.ts' },
  'docs/operations.md': {
    sh: 'commands',
    yaml: 'scripts/deploy-prometheus.test.ts',
    ini: 'server/http/traces.nightly.test.ts',
  },
  'sdk/README.md': { sh: 'commands', ts: 'sdk/package.test.ts' },
  'embed/README.md': { js: 'e2e/readme.spec.ts', html: 'e2e/readme.spec.ts' },
  'example/README.md': { sh: 'commands' },
  'faults/README.md': { sh: 'commands' },
  'models/README.md': { sh: 'commands' },
  'sandbox/README.md': { sh: 'commands', ts: HERE, html: HERE },
}

const read = (file: string) => readFileSync(`${ROOT}${file}`, 'utf8')
const documents = globSync('{*.md,docs/**/*.md,*/README.md}', { cwd: ROOT }).toSorted()
const blocks = documents.flatMap((file) =>
  readBlocks(read(file)).map((block) => ({ ...block, file, where: `${file}:${block.line}` })),
)

/** Fails with the complete list of problems, not only the first one. */
function assertNone(faults: string[]) {
  assert.deepEqual(faults, [])
}

describe('the documents', () => {
  let program: Awaited<ReturnType<typeof loadProgram>>
  before(async () => {
    program = await loadProgram()
  })

  it('have no untested code block', () => {
    assert(blocks.length > 30)
    assertNone(
      blocks.flatMap(({ file, language, where, marks }) => {
        const proof = marks['test'] ?? PROOFS[file]?.[language]
        if (proof === undefined) return [`${where} is not tested`]
        if (proof === 'commands' || proof === 'picture') return []
        const name = file.replace(/^(sdk|embed)\//, '')
        return existsSync(`${ROOT}${proof}`) && read(proof).includes(name)
          ? []
          : [`${where}: ${proof} does not mention it`]
      }),
    )
  })

  it('have only valid commands in shell blocks', () => {
    assertNone(
      blocks
        .filter(
          ({ file, language, marks }) => !marks['test'] && PROOFS[file]?.[language] === 'commands',
        )
        .flatMap(({ text, where }) =>
          text
            .split('\n')
            .filter((line) => line.trim() !== '')
            .flatMap((line) => {
              const fault = checkLine(program, line)
              return fault === undefined ? [] : [`${where}: ${line}: ${fault}`]
            }),
        ),
    )
  })

  it('mention only commands and flags that exist', () => {
    assertNone(
      documents.flatMap((file) =>
        [...read(file).matchAll(/`((?:npm|coffer) [^`…]+)`/g)].flatMap(([, text = '']) => {
          const fault = checkMention(program, text)
          return fault === undefined ? [] : [`${file}: ${text}: ${fault}`]
        }),
      ),
    )
  })
})

describe('the READMEs of the folders', () => {
  it('link only to existing files', () => {
    assertNone(
      globSync('*/README.md', { cwd: ROOT }).flatMap((file) =>
        [...read(file).matchAll(/\]\(([^)#:]+)\)/g)]
          .map(([, target = '']) => join(dirname(file), target))
          .filter((target) => !existsSync(`${ROOT}${target}`))
          .map((target) => `${file} points to ${target}, which does not exist`),
      ),
    )
  })
})

describe('docs/configuration.md', () => {
  const section = (title: string) =>
    read('docs/configuration.md').split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? ''

  it('lists every environment variable, and no others', () => {
    const rows = section('Environment variables').matchAll(/^\| (`[A-Z][^|]*)\|/gm)
    const named = [...rows].flatMap(([, cell = '']) => cell.match(/[A-Z][A-Z0-9_]+/g) ?? [])
    assertNone([...VARIABLES].filter((name) => !named.includes(name)))
    assertNone(named.filter((name) => !VARIABLES.has(name)))
  })

  it('lists every secret that can be in a file', () => {
    const text = read('docs/configuration.md')
    assertNone(FILE_VARIABLES.filter((name) => !text.includes(`\`${name}\``)))
  })

  it('lists every command, with flags that exist', async () => {
    const program = await loadProgram()
    const rows = section('Commands')
      .split('\n')
      .filter((row) => row.startsWith('| `'))
    const lines = rows.flatMap((row) => {
      const [, commands = '', meaning = ''] = row.split('|')
      const flags = meaning.match(/`--[\w-]+`/g)?.map((flag) => flag.slice(1, -1)) ?? []
      const spans = [
        ...commands.matchAll(/`([^`]+)`/g),
        ...meaning.matchAll(/`([a-z][^`]+ [^`]+)`/g),
      ]
      return spans.map(([, command], index) => [command, ...(index === 0 ? flags : [])].join(' '))
    })
    assertNone(lines.flatMap((line) => checkMention(program, `coffer ${line}`) ?? []))
    const paths = program.commands.flatMap((command) =>
      command.commands.length === 0
        ? [command.name()]
        : command.commands.map((own) => `${command.name()} ${own.name()}`),
    )
    assertNone(paths.filter((path) => !lines.some((line) => `${line} `.startsWith(`${path} `))))
  })
})

describe('docs/testing.md', () => {
  it('lists test cards with their actual results', () => {
    const rows = [...read('docs/testing.md').matchAll(/^\| `([\d ]+)` +\| (.+?) *\|$/gm)]
    assert(rows.length >= 7)
    const signs = {
      declined: /decline|insufficient/,
      '3-D Secure': /3-D Secure/,
      disputed: /disput/,
    }
    for (const [, number = '', listed = ''] of rows) {
      const does = TEST_CARDS.get(number.replaceAll(' ', ''))?.does ?? assert.fail(number)
      for (const [word, sign] of Object.entries(signs)) {
        assert.equal(listed.includes(word), sign.test(does), `${number}: ${listed} / ${does}`)
      }
    }
  })
})

describe('sandbox/README.md', () => {
  it('shows a test that runs and a script that the sandbox serves', async () => {
    const own = blocks.filter(({ file }) => file === 'sandbox/README.md')
    const folder = mkdtempSync(join(tmpdir(), 'coffer-sandbox-'))
    symlinkSync(`${ROOT}node_modules`, join(folder, 'node_modules'))
    const code = own.filter(({ language }) => language === 'ts').map(({ text }) => text)
    const around = [`const serviceUrl = 'http://127.0.0.1:1'`, ...code, 'console.log(intent.id)']
    writeFileSync(join(folder, 'test.mts'), around.join('\n'))
    const output = execFileSync(process.execPath, [join(folder, 'test.mts')], { encoding: 'utf8' })
    rmSync(folder, { recursive: true })
    assert.match(output, /^pi_\w+\n$/)

    const sandbox = await startSandbox()
    const html = own.find(({ language }) => language === 'html')?.text ?? ''
    const path = /src="http:\/\/127\.0\.0\.1:12111(\S+)"/.exec(html)?.[1]
    const script = await fetch(`${sandbox.url}${path}`)
    await sandbox.close()
    assert.match(script.headers.get('content-type') ?? '', /javascript/)
  })
})
