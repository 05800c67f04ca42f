import type { Result } from '../../ui/request.ts'

/** A long search is read in parts, within the rate limit. */
const PART_INTERVAL_MS = 100

interface PartsOptions<Output> {
  isEmpty: (page: Output) => boolean
  /** Whether the result is still needed. */
  isWanted: () => boolean
  partsMax: number
}

/** Reads further pages while they are empty and not the last one. */
export async function readParts<Output extends { nextCursor: string | null }>(
  read: (cursor: string | undefined) => Promise<Result<Output>>,
  cursor: string | undefined,
  { isEmpty, isWanted, partsMax }: PartsOptions<Output>,
): Promise<Result<Output>> {
  let result = await read(cursor)
  for (let part = 1; part < partsMax && isWanted(); part++) {
    if (!result.ok || !isEmpty(result.data) || result.data.nextCursor === null) break
    await new Promise((resolve) => setTimeout(resolve, PART_INTERVAL_MS))
    result = await read(result.data.nextCursor)
  }
  return result
}
