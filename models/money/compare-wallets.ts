/** What every plan compares at its end, and after operations at the same time: the sums and newest entries of wallets. */
import * as account from '@coffer/contract/account/account'
import type { LightMyRequestResponse } from 'fastify'
import assert from 'node:assert/strict'
import type { Run } from './run.ts'
import { toMajor, type Reference } from './state.ts'

export type Item = Record<string, unknown>
type Seen = { wallet: number; sums: unknown[]; newest: string[] }[]

const NEWEST = 8

/** The model does not know the references of expiries. */
function nameOf({ referenceType, referenceId }: Reference): string {
  return referenceType === 'HOLD_EXPIRY' ? 'expiry' : `${referenceType} ${referenceId}`
}

export function readJson(response: LightMyRequestResponse): Item {
  assert.equal(response.statusCode, 200, response.body)
  return response.json<Item>()
}

/** Of wallets whose person can still log in. */
export async function readWallets(run: Run): Promise<Seen> {
  const open = run.model.wallets.filter(({ isClosed }) => !isClosed)
  return Promise.all(
    open.map(async (wallet) => {
      const { balance, debt, held } = readJson(await run.askAsPerson(wallet, account.readAccount))
      const page = readJson(await run.askAsPerson(wallet, account.readHistory))
      const newest = (page['transactions'] as (Item & Reference)[]).slice(0, NEWEST).map(nameOf)
      return { wallet: wallet.index, sums: [balance, debt, held], newest }
    }),
  )
}

export function compareWallets({ model }: Run, seen: Seen) {
  for (const { wallet, sums, newest } of seen) {
    const { balance, debt, held, entries } = model.wallet(wallet)
    const expected = entries.slice(-NEWEST).toReversed().map(nameOf)
    assert.deepEqual(newest, expected, `newest entries of wallet ${wallet}`)
    assert.deepEqual(sums, [balance, debt, held].map(toMajor), `sums of wallet ${wallet}`)
  }
}
