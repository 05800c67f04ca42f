/** A receiver of webhooks: some answer, some fail, some never answer. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Delays } from './delays.ts'

export type ReceiverKind = 'ok' | 'failing' | 'hanging'

export interface Receiver {
  urlOf(kind: ReceiverKind): string
  /** Of the events that reached a webhook that works. */
  delays: Delays
  requests: Record<ReceiverKind, number>
  close(): void
}

export async function startReceiver(): Promise<Receiver> {
  const delays = new Delays()
  const requests = { ok: 0, failing: 0, hanging: 0 }
  const server = createServer((request, response) => {
    const kind = (request.url ?? '').slice(1) as ReceiverKind
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      requests[kind]++
      if (kind === 'failing') return response.writeHead(500).end()
      if (kind === 'hanging') return undefined
      delays.add(JSON.parse(Buffer.concat(chunks).toString()))
      return response.end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    urlOf: (kind) => `http://127.0.0.1:${port}/${kind}`,
    delays,
    requests,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
