/** Reads lists with all their pages, and compares them. */
import type { Endpoint } from '@coffer/contract/endpoint'
import type { LightMyRequestResponse } from 'fastify'
import assert from 'node:assert/strict'
import type { Fields } from '../../server/test/setup.ts'
import { isBound } from '../bind.ts'
import { readJson, type Item } from './compare-wallets.ts'
import type { Run } from './run.ts'
import type { Entry } from './state.ts'

export type Read = (endpoint: Endpoint, fields: Fields) => Promise<LightMyRequestResponse>
/** What to ask for, and which entries it should find. */
export type Filter = readonly [Fields, (entry: Entry) => boolean]

const ITEMS_MAX = 2_000

/** All pages, until there is no next one. */
export async function readPages(
  read: Read,
  endpoint: Endpoint,
  fields: Fields,
  name: string,
): Promise<Item[]> {
  const found: Item[] = []
  for (let cursor: unknown; ;) {
    const page = readJson(await read(endpoint, { ...fields, cursor }))
    found.push(...(page[name] as Item[]))
    cursor = page['nextCursor']
    if (cursor === null) return found
    assert(found.length < ITEMS_MAX, 'the pages do not end')
  }
}

/** Few pages, and a last one that is sometimes full. */
export function pageSize({ plan }: Run, count: number): number {
  return Math.max(plan.pageSize, Math.ceil(count / 3))
}

/** Compares what each filter finds, for the filters that this plan reads. */
export async function compareFiltered(
  run: Run,
  filters: readonly Filter[],
  compare: (...filter: Filter) => Promise<void>,
) {
  const chosen = filters.filter(
    ([filter]) =>
      Object.keys(filter).length === 0 || run.reads(JSON.stringify(Object.values(filter))),
  )
  await Promise.all(chosen.map((filter) => compare(...filter)))
}

/** In a list by time, what happened in the same millisecond has any order. */
export function matchByTime(
  run: Run,
  actual: readonly Item[],
  expected: readonly Item[],
  what: string,
) {
  const valueOf = (id: unknown) => (isBound(id) ? run.bindings.get(id.$) : id)
  const nameOf = (item: Item) =>
    JSON.stringify([item['clientApp'], item['referenceType'], valueOf(item['referenceId'])])
  assert.deepEqual(
    actual.map(nameOf).toSorted(),
    expected.map(nameOf).toSorted(),
    `${what}: what it lists`,
  )
  const times = actual.map((item) => String(item['createdAt']))
  assert.deepEqual(times, times.toSorted().toReversed(), `${what}: order`)
  const byName = new Map(expected.map((item) => [nameOf(item), item]))
  for (const item of actual) run.bindings.match(item, byName.get(nameOf(item)), what)
}
