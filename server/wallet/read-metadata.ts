import type { Metadata } from '@coffer/contract/server/metadata'
import type { Context } from '../context.ts'
import { many } from '../database/statement.ts'
import * as query from '../ledger/post/decision-queries.ts'
import { digestPair } from '../ledger/digest.ts'

interface Pair {
  referenceType: string
  referenceId: string
}

/** What a client app stored with its operations, in their order; undefined where it stored nothing. */
export async function readMetadata(
  { db }: Context,
  ledgerAccount: number,
  operations: readonly Pair[],
): Promise<(Metadata | undefined)[]> {
  const digests = operations.map((each) =>
    digestPair(ledgerAccount, each.referenceType, each.referenceId),
  )
  const stored = await many(db, query.readMetadata(digests))
  const byDigest = new Map(stored.map(({ digest, data }) => [digest, data]))
  return digests.map((digest) => byDigest.get(digest))
}
