/** Runs the programs of docs/other-languages.md, and the patterns of the OpenAPI document, in each language. */
import { buildOpenApi } from '@coffer/contract/openapi'
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { makeClientApp, makeLinkedUser, type TestApp } from '../server/test/factories.ts'
import { startHarness, type Harness } from '../server/test/harness.ts'
import { ROOT } from './copy-checkout.ts'
import { skipWithout } from './find-program.ts'
import { readBlocks } from './read-blocks.ts'

const run = promisify(execFile)

interface Language {
  name: string
  command: string
  packageName: string
  file: string
  /** Compiles the file, if it must be compiled. */
  build?: string[]
  start: [command: string, ...args: string[]]
  /** A program that matches each line (pattern, tab, text) of its first argument and prints true or false. */
  matcher: string
}

const LANGUAGES: Language[] = [
  {
    name: 'Python',
    command: 'python3',
    packageName: 'python3',
    file: 'wallet.py',
    start: ['python3', 'wallet.py'],
    matcher: `import re, sys
for line in sys.argv[1].split("\\n"):
    pattern, text = line.split("\\t")
    print("true" if re.search(pattern, text) else "false")`,
  },
  {
    name: 'Go',
    command: 'go',
    packageName: 'golang-go',
    file: 'wallet.go',
    build: ['build', '-o', 'wallet', 'wallet.go'],
    start: ['./wallet'],
    matcher: `package main

import ("fmt"; "os"; "regexp"; "strings")

func main() {
	for _, line := range strings.Split(os.Args[1], "\\n") {
		pattern, text, _ := strings.Cut(line, "\\t")
		fmt.Println(regexp.MustCompile(pattern).MatchString(text))
	}
}`,
  },
  {
    name: 'PHP',
    command: 'php',
    packageName: 'php-cli',
    file: 'wallet.php',
    start: ['php', 'wallet.php'],
    matcher: `<?php
foreach (explode("\\n", $argv[1]) as $line) {
    [$pattern, $text] = explode("\\t", $line);
    echo preg_match('~' . str_replace('~', '\\~', $pattern) . '~u', $text) === 1 ? "true\\n" : "false\\n";
}`,
  },
]

/** Loses the response to every first debit, and responds like a failing proxy to every second one. */
async function startUnreliableProxy(target: string) {
  const debits = new Map<string, number>()
  async function respond(request: IncomingMessage, response: ServerResponse) {
    const chunks = await request.toArray()
    const body = Buffer.concat(chunks as Buffer[]).toString()
    const isDebit = request.url === '/api/server/wallet/debit'
    const count = (debits.get(body) ?? 0) + 1
    if (isDebit) debits.set(body, count)
    if (isDebit && count === 2) return response.writeHead(502).end('<h1>Bad gateway</h1>')
    const { authorization = '' } = request.headers
    const answer = await fetch(target + request.url, {
      method: request.method ?? 'GET',
      headers: { authorization, 'content-type': 'application/json' },
      ...(request.method === 'POST' && { body }),
    })
    const text = await answer.text()
    if (isDebit && count === 1) return response.destroy()
    const names = ['content-type', 'retry-after', 'idempotency-replayed', 'idempotency-mismatch']
    for (const name of names) {
      const value = answer.headers.get(name)
      if (value !== null) response.setHeader(name, value)
    }
    return response.writeHead(answer.status).end(text)
  }
  const proxy = createServer((request, response) => void respond(request, response))
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const address = proxy.address()
  assert(typeof address === 'object' && address !== null)
  return { url: `http://127.0.0.1:${address.port}`, close: () => proxy.close() }
}

const guide = readBlocks(readFileSync(`${ROOT}docs/other-languages.md`, 'utf8'))

for (const language of LANGUAGES) {
  const skip = skipWithout(language.command, language.packageName, 'nightly')
  const options = { skip, timeout: 300_000 }
  describe(`docs/other-languages.md in ${language.name}`, options, () => {
    let harness: Harness
    let app: TestApp
    let url: string
    const folder = mkdtempSync(join(tmpdir(), 'coffer-language-'))
    const closers: (() => unknown)[] = [() => rmSync(folder, { recursive: true })]
    after(async () => {
      for (const close of closers.toReversed()) await close()
    })
    before(async () => {
      harness = await startHarness()
      closers.push(() => harness.end())
      app = await makeClientApp(harness.context)
      const proxy = await startUnreliableProxy(
        await harness.app.listen({ port: 0, host: '127.0.0.1' }),
      )
      closers.push(proxy.close)
      url = proxy.url
      const program = guide.find(({ marks }) => marks['title'] === language.file)
      writeFileSync(join(folder, language.file), program?.text ?? assert.fail(language.file))
      if (language.build) await run(language.command, language.build, { cwd: folder })
    })

    async function pay(serviceUserId: string, order: string) {
      const [command, ...args] = language.start
      const { PATH = '', HOME = '' } = process.env
      const credentials = { COFFER_CLIENT_ID: app.clientId, COFFER_CLIENT_SECRET: app.clientSecret }
      const env = { PATH, HOME, COFFER_URL: url, ...credentials }
      const ending = run(command, [...args, serviceUserId, order], { cwd: folder, env })
      return ending.catch((error: { stdout: string; stderr: string }) => error)
    }

    it('pays once, although a response is lost, and pays back', async () => {
      const { serviceUserId, walletId } = await makeLinkedUser(harness.context, app, 100_00n)
      const { stdout, stderr } = await pay(serviceUserId, 'order-1')
      assert.equal(stderr, '')
      const id = 'txn_[0-9a-f]{32}'
      assert.match(
        stdout,
        new RegExp(`^balance 100 USD\nenough [Tt]rue\npaid 80.01 ${id}\nrefunded 100 ${id}\n$`),
      )
      const [refund, debit] = await harness.context.ledger.readHistory(
        app.ledgerAccount,
        walletId,
        9n,
        9,
      )
      assert.deepEqual([refund?.kind, debit?.kind, refund?.seq], ['refund', 'debit', 3n])
      assert.equal((await pay(serviceUserId, 'order-1')).stdout, stdout)
    })

    it('offers a top-up if the balance is too low', async () => {
      const { serviceUserId } = await makeLinkedUser(harness.context, app, 19_98n)
      const { stdout, stderr } = await pay(serviceUserId, 'order-2')
      assert.match(stdout + stderr, /offer a top-up, then pay with a new referenceId/)
      assert.doesNotMatch(stdout, /paid|refunded/)
    })

    it('does not treat an order as paid that another user paid', async () => {
      const [one, other] = await Promise.all(
        [1, 2].map(() => makeLinkedUser(harness.context, app, 100_00n)),
      )
      await pay(one?.serviceUserId ?? '', 'order-3')
      const { stdout, stderr } = await pay(other?.serviceUserId ?? '', 'order-3')
      assert.match(stdout + stderr, /REPLAY_MISMATCH: serviceUserId/)
      assert.doesNotMatch(stdout, /^paid|^refunded/m)
    })

    it('matches the patterns of the OpenAPI document like JavaScript', async () => {
      const lines = findPatterns(buildOpenApi())
      const file = language.file.replace('wallet', 'patterns')
      writeFileSync(join(folder, file), language.matcher)
      const args = language.build ? ['run', file] : [file]
      const { stdout } = await run(language.command, [...args, lines.join('\n')], { cwd: folder })
      const expected = lines.map((line) => {
        const [pattern = '', text = ''] = line.split('\t')
        return String(new RegExp(pattern, 'u').test(text))
      })
      assert(expected.includes('true') && expected.includes('false') && lines.length > 50)
      assert.deepEqual(stdout.trim().split('\n'), expected)
    })
  })
}

/** Lines of a pattern, a tab and a text: every pattern with every example of the document and some hostile texts. */
function findPatterns(document: unknown): string[] {
  const patterns = new Set<string>()
  const texts = new Set(['', 'é', '😀', '\u0085', '\u0001', '٣', 'a b', '-1', '1.2345', 'USDX'])
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    if ('pattern' in node && typeof node.pattern === 'string') patterns.add(node.pattern)
    if ('example' in node) texts.add(String(node.example))
    Object.values(node).forEach(visit)
  }
  visit(document)
  return [...patterns].flatMap((pattern) => [...texts].map((text) => `${pattern}\t${text}`))
}
