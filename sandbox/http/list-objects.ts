import type Stripe from 'stripe'
import { invalidRequest, missing } from '../stripe-error.ts'
import { isParams, type Params } from './parse-form.ts'
import { readInteger, readString } from './read-params.ts'

type Listed = { id: string; created: number }

/** The parameters that every list accepts. */
export const LIST_PARAMS = ['created', 'limit', 'starting_after', 'ending_before']

export function listOf<T>(data: T[], url: string, hasMore = false): Stripe.ApiList<T> {
  return { object: 'list', data, has_more: hasMore, url }
}

/** Returns one page, newest first, with Stripe's cursors. */
export function listObjects<T extends Listed>(
  objects: Map<string, T>,
  params: Params,
  url: string,
  isWanted: (object: T) => boolean = () => true,
): Stripe.ApiList<T> {
  const limit = readInteger(params, 'limit') ?? 10
  if (limit < 1 || limit > 100) {
    throw invalidRequest('Limit must be between 1 and 100.', { param: 'limit' })
  }
  const isInRange = readRange(params)
  const all = [...objects.values()].toReversed()
  const matches = (object: T) => isInRange(object.created) && isWanted(object)
  const before = cursor(objects, params, 'ending_before')
  if (before !== null) {
    const newer = all
      .slice(
        0,
        all.findIndex(({ id }) => id === before),
      )
      .filter(matches)
    return listOf(newer.slice(-limit), url, newer.length > limit)
  }
  const after = cursor(objects, params, 'starting_after')
  const start = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1
  const older = all.slice(start).filter(matches)
  return listOf(older.slice(0, limit), url, older.length > limit)
}

function cursor(objects: Map<string, unknown>, params: Params, name: string): string | null {
  const id = readString(params, name)
  if (id !== null && !objects.has(id)) throw missing('object', id, name, 400)
  return id
}

function readRange(params: Params): (created: number) => boolean {
  const range = params['created']
  if (range === undefined) return () => true
  if (!isParams(range)) {
    const exact = readInteger(params, 'created')
    return (created) => created === exact
  }
  const [gt, gte, lt, lte] = ['gt', 'gte', 'lt', 'lte'].map((name) => readInteger(range, name))
  return (created) =>
    created > (gt ?? -Infinity) &&
    created >= (gte ?? -Infinity) &&
    created < (lt ?? Infinity) &&
    created <= (lte ?? Infinity)
}
