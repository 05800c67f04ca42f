import type pg from 'pg'
import type { Expired } from '../database/prune.ts'

export interface TrafficCount {
  kind: 'status' | 'code' | 'latency'
  /** For latency: n counts responses that took up to 2 ^ (n / 3) ms. */
  value: string
  count: number
}

/** In the order of the key, so that two processes do not deadlock. */
export function writeTraffic(counts: readonly TrafficCount[]): pg.QueryConfig {
  return {
    text: `insert into admin.traffic as t (hour, kind, value, count)
      select date_trunc('hour', now(), 'UTC'), x.kind, x.value, x.count
      from unnest($1::text[], $2::text[], $3::bigint[]) as x(kind, value, count)
      order by x.kind, x.value
      on conflict (hour, kind, value) do update set count = t.count + excluded.count`,
    values: [
      counts.map(({ kind }) => kind),
      counts.map(({ value }) => value),
      counts.map(({ count }) => count),
    ],
  }
}

/** A little longer than the longest period of the overview. */
export const TRAFFIC_DAYS = 91

export const OLD_TRAFFIC: Expired = {
  table: 'admin.traffic',
  where: `hour < now() - interval '${TRAFFIC_DAYS} days'`,
}

/** An empty statement: succeeds if the database responds. */
export const PING: pg.QueryConfig = { text: '' }
