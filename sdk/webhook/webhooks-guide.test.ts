/** The request and the code in docs/webhooks.md are right, in each language. */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { findFreePorts } from '../../scripts/find-free-ports.ts'
import { skipWithout } from '../../scripts/find-program.ts'
import { checkLine, loadProgram } from '../../scripts/check-commands.ts'
import { readBlocks } from '../../scripts/read-blocks.ts'
import { readSecret } from './read-secret.ts'
import { signWebhook } from './sign-webhook.ts'

const run = promisify(execFile)
const root = new URL('../../', import.meta.url).pathname
const guide = readFileSync(`${root}docs/webhooks.md`, 'utf8')
const blocks = readBlocks(guide).filter(({ marks }) =>
  marks['test']?.endsWith('webhooks-guide.test.ts'),
)
const textOf = (wanted: string) => blocks.find(({ language }) => language === wanted)?.text ?? ''

const [head = '', body = ''] = textOf('http').trim().split('\n\n')
const example: Record<string, string> = Object.fromEntries(
  [...head.matchAll(/^(webhook-\w+): (.+)$/gm)].map(([, name = '', value = '']) => [name, value]),
)
const secret = /whsec_[\w+/=]{20,}/.exec(guide)?.[0] ?? ''

interface Language {
  name: string
  packageName: string
  file: string
  /** Calls the function with a body, headers as JSON and the secret, and prints ok or the error. */
  driver: [file: string, text: string]
  start: [command: string, ...args: string[]]
}

const LANGUAGES: Language[] = [
  {
    name: 'Python',
    packageName: 'python3',
    file: 'verify.py',
    driver: [
      'drive.py',
      `import json, sys
from verify import verify
try:
    assert verify(sys.argv[1].encode(), json.loads(sys.argv[2]), sys.argv[3]) == json.loads(sys.argv[1])
    print("ok")
except ValueError as error:
    print(error)`,
    ],
    start: ['python3', 'drive.py'],
  },
  {
    name: 'Go',
    packageName: 'golang-go',
    file: 'verify.go',
    driver: [
      'drive.go',
      `package main

import ("encoding/json"; "fmt"; "net/http"; "os")

func main() {
	fields, headers := map[string]string{}, http.Header{}
	json.Unmarshal([]byte(os.Args[2]), &fields)
	for name, value := range fields { headers.Set(name, value) }
	if err := verify([]byte(os.Args[1]), headers, os.Args[3]); err != nil { fmt.Println(err); return }
	fmt.Println("ok")
}`,
    ],
    start: ['go', 'run', 'verify.go', 'drive.go'],
  },
  {
    name: 'PHP',
    packageName: 'php-cli',
    file: 'verify.php',
    driver: [
      'drive.php',
      `<?php
require 'verify.php';
try {
    verify($argv[1], json_decode($argv[2], true), $argv[3]);
    echo "ok\\n";
} catch (Exception $error) {
    echo $error->getMessage() . "\\n";
}`,
    ],
    start: ['php', 'drive.php'],
  },
]

/** The example as it would be signed at that time. */
const signAt = (seconds: number) =>
  signWebhook(readSecret(secret), {
    id: example['webhook-id'] ?? '',
    timestamp: String(seconds),
    body,
  })
const nowSeconds = () => Math.floor(Date.now() / 1_000)

let folder: string
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'coffer-webhooks-'))
  symlinkSync(`${root}node_modules`, join(folder, 'node_modules'))
})
after(() => rmSync(folder, { recursive: true }))

describe('docs/webhooks.md', () => {
  it('shows a request that is signed with the secret that it names', async () => {
    assert.deepEqual(await signAt(Number(example['webhook-timestamp'])), example)
    assert.equal((JSON.parse(body) as { id: string }).id, example['webhook-id'])
  })

  it('shows a server that accepts what is signed, and nothing else', async () => {
    writeFileSync(join(folder, 'server.mjs'), textOf('js'))
    const [port = 0] = await findFreePorts(1)
    const env = { PORT: String(port), COFFER_WEBHOOK_SECRET: secret }
    const options = { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] as const }
    const server = spawn(process.execPath, ['server.mjs'], {
      ...options,
      stdio: [...options.stdio],
    })
    const printed = once(server.stdout ?? assert.fail(), 'data')
    const post = async (headers: Record<string, string>): Promise<number> => {
      const url = `http://localhost:${port}/`
      for (let tries = 0; ; tries++) {
        const response = await fetch(url, { method: 'POST', headers, body }).catch(() => undefined)
        if (response) return response.status
        assert(tries < 200, 'the server did not start')
        await new Promise((resolve) => setTimeout(resolve, 25))
      }
    }
    const statuses = [
      await post(await signAt(nowSeconds())),
      await post(example),
      await post({ ...(await signAt(nowSeconds())), 'webhook-id': 'evt_2' }),
    ]
    assert.equal(String(await printed), 'unlinked su_5f0c2a9e7b1d4c3f8a6e9d0b2c4f6a81\n')
    server.kill()
    assert.deepEqual(statuses, [204, 400, 400])
  })

  it('names a command that exists', async () => {
    assert.equal(checkLine(await loadProgram(), textOf('sh').trim()), undefined)
  })

  for (const { name, packageName, file, driver, start } of LANGUAGES) {
    const skip = skipWithout(start[0], packageName, 'nightly')
    it(`has a function that verifies in ${name}`, { skip }, async () => {
      const program = blocks.find(({ marks }) => marks['title'] === file)?.text
      writeFileSync(join(folder, file), program ?? assert.fail(file))
      writeFileSync(join(folder, driver[0]), driver[1])
      const [command, ...args] = start
      const verify = async (headers: object, text = body) => {
        const given = [...args, text, JSON.stringify(headers), secret]
        return (await run(command, given, { cwd: folder })).stdout.trim()
      }
      const headers = await signAt(nowSeconds())
      const signature = headers['webhook-signature']
      const twice = { ...headers, 'webhook-signature': `v1,AAAA ${signature}` }
      assert.deepEqual([await verify(headers), await verify(twice)], ['ok', 'ok'])
      assert.match(await verify(headers, body.replace('17', '18')), /^no signature matches/)
      assert.match(await verify({ ...headers, 'webhook-signature': 'v1,' }), /^no signature/)
      for (const seconds of [nowSeconds() - 310, nowSeconds() + 310]) {
        assert.match(await verify(await signAt(seconds)), /^the request is too old/)
      }
    })
  }
})
