/** A client with batches whose requests get their responses, and whose timeouts happen, when the test decides. */
import { mock } from 'node:test'
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import { createCoffer, type Coffer, type CofferOptions, type OperationInput } from '../coffer.ts'

export interface HeldRequest {
  path: string
  body: string
  operations: OperationInput[]
  signal: AbortSignal
  respond(status: number, body: object, headers?: Record<string, string>): void
  /** All operations are executed; each result has its reference as transactionId. */
  succeed(): void
  fail(error: Error): void
}

interface HeldCoffer {
  coffer: Coffer
  /** A debit of the wallet. Its reference is the name of the wallet and a number. */
  debit: (wallet: string, change?: Partial<OperationInput>) => Promise<string>
  requests: HeldRequest[]
  /** The sizes of the requests so far. */
  sizes: () => number[]
  timeouts: { ms: number; happen: () => void }[]
}

/** Until `mock.restoreAll()`. */
export function holdCoffer(options: Partial<CofferOptions> = {}): HeldCoffer {
  const requests: HeldRequest[] = []
  const timeouts: HeldCoffer['timeouts'] = []
  mock.method(AbortSignal, 'timeout', (ms: number) => {
    const controller = new AbortController()
    timeouts.push({ ms, happen: () => controller.abort(new DOMException('late', 'TimeoutError')) })
    return controller.signal
  })
  const coffer = createCoffer({
    serviceUrl: 'https://wallet.example',
    clientId: 'app_1',
    clientSecret: 'coffer_sk_1',
    batch: true,
    retries: 0,
    ...options,
    fetch: (url, init) =>
      new Promise((resolve, reject) => {
        const { body = '', signal } = init
        signal.addEventListener('abort', () => reject(signal.reason))
        const { pathname } = new URL(url)
        requests.push(holdRequest(pathname, body, signal, resolve, reject))
      }),
  })
  let count = 0
  const debit = (serviceUserId: string, change: Partial<OperationInput> = {}) => {
    const reference = { referenceType: 'ORDER', referenceId: `${serviceUserId}-${++count}` }
    return coffer.debit({ serviceUserId, amount: 1, ...reference, ...change }).then(
      ({ transactionId }) => transactionId,
      (error: Error & { code: string }) => error.code,
    )
  }
  const sizes = () => requests.map(({ operations }) => operations.length)
  return { coffer, debit, requests, sizes, timeouts }
}

type Response = Awaited<ReturnType<NonNullable<CofferOptions['fetch']>>>

function holdRequest(
  path: string,
  body: string,
  signal: AbortSignal,
  resolve: (response: Response) => void,
  reject: (error: Error) => void,
): HeldRequest {
  const fields = JSON.parse(body) as { operations: OperationInput[] }
  const isBatch = path.endsWith('/batch')
  const operations = isBatch ? fields.operations : [fields as unknown as OperationInput]
  const results = operations.map(({ referenceId }) => {
    const result = { balance: 1, message: 'Done.', currency: 'USD', transactionId: referenceId }
    return isBatch ? { status: 200, ...result } : result
  })
  const respond: HeldRequest['respond'] = (status, response, headers = {}) =>
    resolve({
      status,
      headers: new Headers(headers),
      text: async () => JSON.stringify(response),
    })
  const succeed = () => respond(200, isBatch ? { results } : (results[0] ?? {}))
  return { path, body, operations, signal, respond, succeed, fail: reject }
}

/** Longer than a call waits for others, however late the timers of a busy machine are. */
export async function gather() {
  await sleep(20)
  await turn()
  await turn()
}
