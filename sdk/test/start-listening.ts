/** `listen` as a process, and a local server that receives what it sends. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readAll } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { TestApp } from '../../server/test/factories.ts'

const COMMAND = fileURLToPath(new URL('../listen/listen.ts', import.meta.url))

/** The variables of an app. */
export function envOf({ clientId, clientSecret }: TestApp, serviceUrl: string) {
  return {
    COFFER_URL: serviceUrl,
    COFFER_CLIENT_ID: clientId,
    COFFER_CLIENT_SECRET: clientSecret,
  }
}

/** Runs from the sources; `program` is another way to start it. */
export function startListening(
  args: string[],
  env: Record<string, string>,
  program: [string, ...string[]] = [process.execPath, COMMAND, 'listen'],
) {
  const [command, ...first] = program
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(command, [...first, ...args], {
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let shown = ''
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (shown += piece))
  const ended = Promise.all([once(child, 'close'), readAll(child.stderr)])
  return {
    lines: () => shown.trim().split('\n'),

    async until(pattern: RegExp): Promise<RegExpExecArray> {
      for (let tries = 0; tries < 1_200; tries++) {
        const found = pattern.exec(shown)
        if (found) return found
        if (child.exitCode !== null) break
        await sleep(25)
      }
      const [, stderr] = child.exitCode === null ? [] : await ended
      return assert.fail(`listen did not print ${pattern}:\n${shown}\n${stderr ?? ''}`)
    },

    /** Waits for its end. With a signal, sends that first. */
    async end(signal?: NodeJS.Signals) {
      if (signal) child.kill(signal)
      const [[status], stderr] = await ended
      return { status: status as number | null, shown, stderr }
    },
  }
}

export interface ReceivedRequest {
  method: string | undefined
  url: string | undefined
  headers: IncomingHttpHeaders
  body: string
}

export async function startReceiver(port = 0) {
  const received: ReceivedRequest[] = []
  /** The statuses of the next responses; then 204. null: the connection is closed without a response. */
  const plan: (number | null)[] = []
  const server = createServer((request, response) => {
    void readAll(request).then((body) => {
      const { method, url, headers } = request
      received.push({ method, url, headers, body })
      const status = plan.length > 0 ? plan.shift() : 204
      if (status === null) return request.socket.destroy()
      return response.writeHead(status ?? 204, { location: '/elsewhere' }).end()
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    received,
    plan,
    async until(count: number) {
      for (let tries = 0; received.length < count && tries < 1_200; tries++) await sleep(25)
      assert(received.length >= count, `only ${received.length} requests arrived`)
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
