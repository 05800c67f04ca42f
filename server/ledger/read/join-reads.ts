/** Lookups of wallets and of decisions that arrive together share a query. */
import type pg from 'pg'
import { createLoader } from '../../database/create-loader.ts'
import { many } from '../../database/statement.ts'
import { findDecisions } from '../post/decision-queries.ts'
import { readWallets } from '../queries.ts'

const SIZE = { batchMax: 256, concurrency: 2 }

export function joinWalletReads(pool: pg.Pool) {
  return createLoader(async (ids: bigint[]) => {
    const wallets = await many(pool, readWallets(ids))
    return new Map(wallets.map((each) => [each.id, each]))
  }, SIZE)
}

export function joinDecisionReads(pool: pg.Pool) {
  return createLoader(async (digests: string[]) => {
    const decisions = await many(pool, findDecisions(digests))
    return new Map(decisions.map((each) => [each.digest, each]))
  }, SIZE)
}
