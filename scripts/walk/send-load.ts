/**
 * Sends mixed requests to a service through its proxy until its standard input ends, without repeating any, then prints
 * what it got. Half of the clients keep their connections, the other half open one for each request.
 *
 *   node send-load.ts '{"host":"wallet.example","ca":"…","app":{…},"serviceUserId":"su_…","clients":8}'
 */
import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'

export interface LoadOptions {
  host: string
  /** The certificate of the proxy. */
  ca: string
  app: { clientId: string; clientSecret: string }
  serviceUserId: string
  clients: number
}

export interface LoadReport {
  /** By kind of request. */
  sent: Record<string, number>
  /** Everything that was not the expected response. */
  failures: string[]
  /** Of the balance, in minor units, by the requests that succeeded. */
  changedMinor: number
  /** Slowest response. */
  longestMs: number
}

interface Kind {
  method: 'GET' | 'POST'
  path: string
  body?: (reference: string) => object
  changeMinor?: number
}

const REFERENCE = 'ORDER_PAYMENT'
const PAUSE_MS = 40

const options = JSON.parse(process.argv[2] ?? '{}') as LoadOptions
const { host, ca, app, serviceUserId } = options
const query = new URLSearchParams({ ...app, serviceUserId }).toString()
const operation = (referenceId: string) => ({
  serviceUserId,
  amount: '0.01',
  referenceType: REFERENCE,
  referenceId,
})

const KINDS: Kind[] = [
  { method: 'POST', path: '/api/server/wallet/debit', body: operation, changeMinor: -1 },
  { method: 'GET', path: `/api/server/wallet?${query}` },
  { method: 'POST', path: '/api/server/wallet/credit', body: operation, changeMinor: 1 },
  { method: 'GET', path: `/api/server/wallet/check-balance?${query}&requiredAmount=1` },
  { method: 'POST', path: '/api/server/wallet/debit', body: operation, changeMinor: -1 },
  // Neither the proxy nor anybody else may repeat this one.
  { method: 'POST', path: '/api/widget/session', body: () => ({ serviceUserId }) },
  {
    method: 'POST',
    path: '/api/server/wallet/batch',
    body: (id) => ({
      operations: [
        { ...operation(id), type: 'debit' },
        { ...operation(`${id}-2`), type: 'debit' },
      ],
    }),
    changeMinor: -2,
  },
  { method: 'GET', path: '/' },
]

const report: LoadReport = { sent: {}, failures: [], changedMinor: 0, longestMs: 0 }
const stop = new AbortController()

function send(
  { method, path, body }: Kind,
  agent: Agent,
  reference: string,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const payload = body && JSON.stringify({ ...app, ...body(reference) })
    const call = request(
      {
        agent,
        host: '127.0.0.1',
        servername: host,
        ca,
        method,
        path,
        timeout: 30_000,
        headers: {
          host,
          accept: path === '/' ? 'text/html' : 'application/json',
          ...(payload && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(payload),
          }),
        },
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (piece: string) => (text += piece))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
        response.on('error', reject)
      },
    )
    call.on('timeout', () => call.destroy(new Error('no response for 30 s')))
    call.on('error', reject)
    call.end(payload)
  })
}

async function runClient(keepAlive: boolean, offset: number) {
  const agent = new Agent({ keepAlive, maxSockets: 1 })
  for (let index = offset; !stop.signal.aborted; index++) {
    const kind = KINDS[index % KINDS.length] as Kind
    const name = `${kind.method} ${kind.path.split('?')[0]}`
    const startedMs = performance.now()
    report.sent[name] = (report.sent[name] ?? 0) + 1
    try {
      const { status, text } = await send(kind, agent, randomUUID())
      if (status === 200) report.changedMinor += kind.changeMinor ?? 0
      else report.failures.push(`${name}: ${status} ${text.slice(0, 200)}`)
    } catch (error) {
      report.failures.push(`${name}: ${String(error)}`)
    }
    report.longestMs = Math.max(report.longestMs, performance.now() - startedMs)
    await sleep(PAUSE_MS)
  }
  agent.destroy()
}

process.stdin.resume().on('end', () => stop.abort())
await Promise.all(
  Array.from({ length: options.clients }, (_, index) => runClient(index % 2 === 0, index)),
)
process.stdout.write(JSON.stringify(report))
