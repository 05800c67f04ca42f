/** Runs nginx and HAProxy with the configurations in deploy/, with other ports and paths and a certificate of the test. */
import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request as requestTls, type Agent } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePorts } from './find-free-ports.ts'
import { findProgram } from './find-program.ts'

export type ProxyName = 'nginx' | 'haproxy'

interface Program {
  file: string
  /** What differs in the copy, in addition to the ports of the service and the proxy. */
  replaces(folder: string, port: number, plainPort: number): Promise<Record<string, string>>
  check(copy: string, folder: string): string[]
  run(copy: string, folder: string): string[]
}

const PROGRAMS: Record<ProxyName, Program> = {
  nginx: {
    file: 'nginx.conf',
    replaces: async (folder, port, plainPort) => ({
      'listen 443': `listen ${port}`,
      'listen 80': `listen ${plainPort}`,
      '/var/www/acme': folder,
      '/run/nginx.pid': join(folder, 'nginx.pid'),
      '/var/log/nginx/access.log': join(folder, 'log'),
      '/var/lib/nginx/': join(folder, 'nginx-'),
    }),
    check: (copy, folder) => ['-t', '-p', folder, '-c', copy],
    run: (copy, folder) => ['-p', folder, '-c', copy, '-g', 'daemon off;'],
  },
  haproxy: {
    file: 'haproxy.cfg',
    async replaces(_folder, port) {
      const [postgres] = await findFreePorts(1)
      return { '8443': `${port}`, '127.0.0.1:5000': `127.0.0.1:${postgres}` }
    },
    check: (copy) => ['-c', '-f', copy],
    run: (copy) => ['-db', '-f', copy],
  },
}

export interface Proxy {
  port: number
  /** Without TLS; only nginx has one. */
  plainPort: number
  folder: string
  /** Undefined if the configuration is valid, otherwise what the program says about it. */
  check(): string | undefined
  start(): Promise<void>
  stop(): Promise<void>
  /** What the program has written to its logs. */
  readLog(): string
  remove(): void
}

/** `hosts`: the addresses of the two processes. `replacements`: texts in the file, all of which must exist. */
export async function prepareProxy(
  name: ProxyName,
  hosts: readonly string[],
  replacements: Record<string, string> = {},
): Promise<Proxy> {
  const program = PROGRAMS[name]
  const folder = mkdtempSync(join(tmpdir(), `coffer-${name}-`))
  // nginx runs as another user, and serves a file of this folder.
  chmodSync(folder, 0o711)
  makeCertificate(folder)
  const [port = 0, plainPort = 0] = await findFreePorts(2)
  const copy = adapt(program.file, folder, {
    '127.0.0.1:8081': hosts[0] ?? '',
    '127.0.0.1:8082': hosts[1] ?? '',
    '/etc/coffer': folder,
    ...(await program.replaces(folder, port, plainPort)),
    ...replacements,
  })
  const command = findProgram(name) ?? name
  const log = join(folder, 'log')
  let stopRunning: (() => Promise<unknown>) | undefined
  return {
    port,
    plainPort,
    folder,
    check() {
      const { status, stdout, stderr } = spawnSync(command, program.check(copy, folder), {
        encoding: 'utf8',
      })
      return status === 0 ? undefined : stdout + stderr
    },
    async start() {
      const output = openSync(log, 'a')
      const running = spawn(command, program.run(copy, folder), {
        stdio: ['ignore', output, output],
      })
      const ended = once(running, 'exit')
      stopRunning = () => {
        running.kill('SIGTERM')
        return ended
      }
      await once(running, 'spawn')
    },
    async stop() {
      await stopRunning?.()
    },
    readLog: () => readFileSync(log, 'utf8'),
    remove: () => rmSync(folder, { recursive: true }),
  }
}

function makeCertificate(folder: string) {
  const [key, certificate] = [join(folder, 'tls.key'), join(folder, 'tls.crt')]
  const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const names = ['-subj', '/CN=wallet.example', '-keyout', key, '-out', certificate]
  execFileSync('openssl', ['req', '-x509', ...made, ...names], { stdio: 'pipe' })
  writeFileSync(join(folder, 'tls.pem'), readFileSync(certificate) + readFileSync(key, 'utf8'))
}

/** Copies the file; every text to be replaced must exist. */
function adapt(file: string, folder: string, replacements: Record<string, string>): string {
  let text = readFileSync(new URL(`../deploy/${file}`, import.meta.url), 'utf8')
  for (const [old, other] of Object.entries(replacements)) {
    assert(text.includes(old), `${file} has no ${old}`)
    text = text.replaceAll(old, other)
  }
  const copy = join(folder, file)
  writeFileSync(copy, text)
  return copy
}

export interface ProxyResponse {
  status: number
  body: string
}

/** Sends one request over TLS, a POST if it has a body; the status is 0 if there is no response. */
export function requestProxy(
  port: number,
  path: string,
  { body = '', ...headers }: Record<string, string> = {},
  agent: Agent | false = false,
): Promise<ProxyResponse> {
  return new Promise((resolve) => {
    const method = body ? 'POST' : 'GET'
    const options = { port, path, method, headers, rejectUnauthorized: false, agent }
    const sent = requestTls(options, (response) => {
      let text = ''
      response.on('data', (piece) => (text += String(piece)))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }))
      response.on('error', () => resolve({ status: 0, body: text }))
    })
    sent.on('error', () => resolve({ status: 0, body: '' }))
    sent.end(body)
  })
}
