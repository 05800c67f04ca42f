/** A minimal backend of a client app: calls the server API over real sockets. */
import { Agent, request } from 'node:http'

export interface ServiceResponse {
  status: number
  text: string
  headers: Record<string, string | string[] | undefined>
}

const agent = new Agent({ keepAlive: true, maxSockets: 512 })

export function post(
  url: string,
  path: string,
  body: unknown,
  others: Record<string, string> = {},
): Promise<ServiceResponse> {
  return new Promise((resolve, reject) => {
    const payload = typeof body === 'string' ? body : JSON.stringify(body)
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(payload),
      ...others,
    }
    const sent = request(new URL(path, url), { method: 'POST', headers, agent }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (piece: string) => (text += piece))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text, headers: response.headers }),
      )
    })
    sent.on('error', reject)
    sent.end(payload)
  })
}

export function closeConnections() {
  agent.destroy()
}

export function percentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}
