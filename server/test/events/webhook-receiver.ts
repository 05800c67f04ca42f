/** A receiver of webhooks on this machine. It verifies nothing, so that tests see what was sent. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Received {
  headers: IncomingHttpHeaders
  body: string
  event: { id: string; sequence?: number; type: string; data: Record<string, unknown> }
}

export interface Receiver {
  url: string
  received: Received[]
  /** What it responds; 200 by default. */
  respond: (response: ServerResponse, received: Received) => void
  /** Waits until so many requests have arrived. */
  untilReceived(count: number): Promise<Received[]>
  close(): void
}

export async function openReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const event = JSON.parse(body) as Received['event']
      const received = { headers: request.headers, body, event }
      receiver.received.push(received)
      receiver.respond(response, received)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/webhooks`,
    received: [],
    respond: (response) => response.end('ok'),
    async untilReceived(count) {
      for (let tries = 0; tries < 400 && receiver.received.length < count; tries++) await sleep(25)
      assert(receiver.received.length >= count, `${receiver.received.length} of ${count} arrived`)
      return receiver.received
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
  return receiver
}

/** As Standard Webhooks defines it, written independently of the service. */
export function hasSignature({ headers, body }: Received, secret: string): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`
  const expected = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
  return String(headers['webhook-signature']).split(' ').includes(expected)
}
