/** Sends one request to a webhook. It never follows a redirect and never reads more than a bounded response. */
import { Agent as HttpAgent, request as requestHttp, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { checkUrl, createLookup, TargetRefused, type Rules } from './check-target.ts'

const READ_MAX_BYTES = 64 * 1024
const SHOWN_BYTES = 1024
const RETRY_AFTER_MAX_SECONDS = 86_400

export interface Attempt {
  at: Date
  /** null: there was no response. */
  status: number | null
  /** What to do about it; null: the attempt succeeded. */
  error: string | null
  durationMs: number
  /** The beginning of the response. */
  response: string
  /** The Retry-After of a response with 429 or 503. */
  retryAfterSeconds: number | null
}

export interface Message {
  url: string
  headers: Record<string, string>
  body: string
}

export interface Sender {
  send(message: Message, timeoutMs: number, stop?: AbortSignal): Promise<Attempt>
  close(): void
}

export function createSender(rules: Rules): Sender {
  const agents = {
    http: new HttpAgent({ keepAlive: true }),
    https: new HttpsAgent({ keepAlive: true }),
  }
  const lookup = createLookup(rules)
  async function post({ url: text, headers, body }: Message, signal: AbortSignal) {
    const url = checkUrl(text, rules)
    const isHttp = url.protocol === 'http:'
    const options = {
      method: 'POST',
      agent: isHttp ? agents.http : agents.https,
      lookup,
      signal,
      headers: {
        ...headers,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'Coffer-Webhooks',
      },
    }
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const request = (isHttp ? requestHttp : requestHttps)(url, options, resolve)
      request.on('error', reject)
      request.end(body)
    })
    return { response, text: await readStart(response) }
  }
  return {
    async send(message, timeoutMs, stop) {
      const at = new Date()
      const startMs = performance.now()
      const timeout = AbortSignal.timeout(timeoutMs)
      const attempt = { at, status: null, response: '', retryAfterSeconds: null }
      const durationMs = () => Math.round(performance.now() - startMs)
      try {
        const signal = stop ? AbortSignal.any([timeout, stop]) : timeout
        const { response, text } = await post(message, signal)
        const status = response.statusCode ?? 0
        const retryAfterSeconds = readRetryAfter(status, response.headers['retry-after'])
        return {
          at,
          status,
          error: explainStatus(status),
          durationMs: durationMs(),
          response: text,
          retryAfterSeconds,
        }
      } catch (error) {
        const reason = timeout.aborted
          ? `There was no complete response within ${timeoutMs / 1_000} seconds.`
          : explain(error)
        return { ...attempt, error: reason, durationMs: durationMs() }
      }
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}

/** The rest of a long response is not read. */
async function readStart(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    if (bytes < SHOWN_BYTES) chunks.push(chunk.subarray(0, SHOWN_BYTES - bytes))
    bytes += chunk.length
    if (bytes > READ_MAX_BYTES) break
  }
  // PostgreSQL stores no null character.
  return Buffer.concat(chunks).toString().toWellFormed().replaceAll('\0', '\u{FFFD}')
}

function explainStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) {
    return `The response was a redirect (${status}), and redirects are not followed. Enter the final URL.`
  }
  return `The response had the status ${status}. Respond with 200 as soon as the event is stored.`
}

/** In seconds, or as a date. */
function readRetryAfter(status: number, header: string | undefined): number | null {
  if (header === undefined || (status !== 429 && status !== 503)) return null
  const seconds = /^\d{1,9}$/.test(header)
    ? Number(header)
    : Math.ceil((Date.parse(header) - Date.now()) / 1_000)
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), RETRY_AFTER_MAX_SECONDS) : null
}

const REASONS: Record<string, string> = {
  ECONNREFUSED:
    'The connection was refused. Check that the receiver runs and that the port is correct.',
  ECONNRESET: 'The receiver closed the connection without a response.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The host cannot be reached.',
  CERT_HAS_EXPIRED: 'The certificate has expired. Renew it.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for another host name.',
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'The certificate is self-signed. Use a certificate from a public certificate authority.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'The certificate chain is incomplete. Install the intermediate certificates.',
}

function explain(error: unknown): string {
  if (error instanceof TargetRefused) return `The URL ${error.message}.`
  const { code = 'unknown' } = error as NodeJS.ErrnoException
  return REASONS[code] ?? `The request failed (${code}).`
}
