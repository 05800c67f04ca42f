/** Failures that every operator meets: each says what happened and what to do, without a stack trace, and ends. */
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { after, before, describe, it } from 'node:test'
import { startHarness, testEnv, type Harness } from '../test/harness.ts'

const COFFER = fileURLToPath(new URL('../coffer.ts', import.meta.url))
/** Far more than a command needs, far less than PostgreSQL waits for a password. */
const TIME_LIMIT_MS = 50_000
const OTHER_LOGIN = 'coffer_test_other_login'

/** Asks for a password as PostgreSQL does with SCRAM, and then waits. */
async function askForPassword(): Promise<Server> {
  const message = (kind: number, text: string) => {
    const body = Buffer.from(text)
    const head = Buffer.alloc(9)
    head.write('R')
    head.writeInt32BE(body.length + 8, 1)
    head.writeInt32BE(kind, 5)
    return Buffer.concat([head, body])
  }
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => {
      socket.write(message(10, 'SCRAM-SHA-256\0\0'))
      socket.once('data', () => socket.write(message(11, 'r=nonce,s=c2FsdA==,i=4096')))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

interface Case {
  args: string[]
  env?: Record<string, string>
  says: RegExp
}

describe('a failure that can be foreseen', () => {
  let harness: Harness
  let scram: Server
  let folder: string
  before(async () => {
    harness = await startHarness()
    await harness.admin.query(
      `drop role if exists ${OTHER_LOGIN}; create role ${OTHER_LOGIN} login`,
    )
    scram = await askForPassword()
    folder = mkdtempSync(join(tmpdir(), 'coffer-failures-'))
    writeFileSync(join(folder, 'file'), 'not a key')
    writeFileSync(join(folder, 'pgpass'), '', { mode: 0o644 })
    const key = ['genpkey', '-algorithm', 'ed25519', '-out', join(folder, 'key.pem')]
    execFileSync('openssl', key, { stdio: 'pipe' })
  })
  after(async () => {
    await harness.admin.query(`drop role ${OTHER_LOGIN}`)
    await harness.end()
    scram.close()
    rmSync(folder, { recursive: true })
  })

  function run({ args, env = {} }: Case): Promise<{ status: unknown; stderr: string }> {
    const all = { PATH: process.env['PATH'], ...testEnv(harness.databaseUrl), ...env }
    const options = { env: all, timeout: TIME_LIMIT_MS }
    return new Promise((resolve) => {
      execFile(process.execPath, [COFFER, ...args], options, (error, stdout, stderr) =>
        resolve({ status: error?.code ?? error?.signal ?? 0, stderr: stdout + stderr }),
      )
    })
  }

  function listCases(): Record<string, Case> {
    const portOf = (server: Server) => (server.address() as AddressInfo).port
    const noPassword = { DATABASE_URL: `postgres://me@127.0.0.1:${portOf(scram)}/coffer` }
    const asksForPassword =
      /^PostgreSQL asks for a password.*\nPut it into DATABASE_URL, or .*PGPASSFILE/
    const other = new URL(harness.databaseUrl)
    other.username = OTHER_LOGIN
    const none = new URL(harness.databaseUrl)
    none.pathname = '/coffer_test_none'
    const [file, key] = [join(folder, 'file'), join(folder, 'key.pem')]
    return {
      'serve without a password': { args: ['serve'], env: noPassword, says: asksForPassword },
      'verify without a password': { args: ['verify'], env: noPassword, says: asksForPassword },
      'migrate without a password': { args: ['migrate'], env: noPassword, says: asksForPassword },
      'doctor without a password': {
        args: ['doctor'],
        env: noPassword,
        says: /✗ The database does not respond: PostgreSQL asks for a password.*\n {2}→ Put it into DATABASE_URL, or .*PGPASSFILE/,
      },
      'a password file that others can read': {
        args: ['verify'],
        env: { PGPASSFILE: join(folder, 'pgpass') },
        says: /^Other users can read the password file .*chmod 600/,
      },
      'a database that does not exist': {
        args: ['client-app', 'list'],
        env: { DATABASE_URL: none.href },
        says: /^PostgreSQL: database "coffer_test_none" does not exist\.\nCheck the name in DATABASE_URL/,
      },
      'PostgreSQL that does not run': {
        args: ['migrate'],
        env: { DATABASE_URL: 'postgres://me@127.0.0.1:1/coffer' },
        says: /ECONNREFUSED.*\nNothing listens there\. Check DATABASE_URL/,
      },
      'migrate with the login of the service': {
        args: ['migrate'],
        env: { DATABASE_URL: other.href },
        says: /^The login coffer_test_other_login may not change the schema, .*\nRun coffer migrate with the DATABASE_URL of \w+\./,
      },
      'a login without the role of the service': {
        args: ['client-app', 'list'],
        env: { DATABASE_URL: other.href },
        says: /^PostgreSQL: permission denied to set role .*\nGrant coffer_service to the login/,
      },
      'a port in use': {
        args: ['serve'],
        env: { PORT: String(portOf(scram)) },
        says: /^Port \d+ of 127\.0\.0\.1 is in use \(EADDRINUSE\)\. End the process .* or set PORT/m,
      },
      'checkpoint to an existing file': {
        args: ['checkpoint', file, '--key', key],
        says: /^\S+file already exists\. Write the checkpoint to a new file\./,
      },
      'checkpoint with a key that is none': {
        args: ['checkpoint', join(folder, 'new'), '--key', file],
        says: /^The file of --key is not a key in PEM format\. Create one with openssl/,
      },
      'a wrong argument of a command': {
        args: ['pause', 'a'],
        says: /^The reason must have at least \d+ characters\.\nRun the command with --help/,
      },
      'an unknown command': { args: ['srve'], says: /^error: unknown command 'srve'[^]*\nUsage:/ },
    }
  }

  it('says what happened and what to do', async () => {
    const faults: string[] = []
    for (const [name, each] of Object.entries(listCases())) {
      const { status, stderr } = await run(each)
      const isRight = status === 1 && each.says.test(stderr) && !/^ {4}at /m.test(stderr)
      if (!isRight) faults.push(`${name}: ${String(status)} ${stderr}`)
    }
    assert.deepEqual(faults, [])
  })
})
