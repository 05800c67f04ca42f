/** Requests an export: a response that is not JSON, can be long, and is streamed. */
import type { ErrorBody } from '@coffer/contract/errors'
import { type Result, toQuery, toRefusal } from '../ui/request.ts'

const DEADLINE_MS = 10_000

/** The deadline applies to the start of the response, not to the whole download. */
export async function requestFile(
  path: string,
  input: object,
  controller: AbortController,
): Promise<Result<Response>> {
  const timer = setTimeout(() => controller.abort(), DEADLINE_MS)
  try {
    const response = await fetch(path + toQuery(input), {
      credentials: 'same-origin',
      cache: 'no-store',
      redirect: 'error',
      signal: controller.signal,
    })
    if (response.ok) return { ok: true, data: response }
    const body: unknown = await response.json().catch(() => null)
    return toRefusal(response, body as Partial<ErrorBody> | null)
  } catch {
    return { ok: false, offline: true }
  } finally {
    clearTimeout(timer)
  }
}

export function fileNameOf(response: Response): string {
  const header = response.headers.get('content-disposition') ?? ''
  return /filename="([\w.-]+)"/.exec(header)?.[1] ?? 'export.csv'
}
