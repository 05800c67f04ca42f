/** Compares the page of a person in the admin area with the model. */
import { readPerson, readPersonHistory } from '@coffer/contract/admin/people'
import assert from 'node:assert/strict'
import { readJson, type Item } from './compare-wallets.ts'
import { compareFiltered, readPages, type Filter, type Read } from './read-pages.ts'
import type { Run } from './run.ts'
import { toMajor, type Wallet } from './state.ts'
import { isOutgoing, showToOperator, stateOf } from './views.ts'

export async function comparePersonAsOperator(run: Run, wallet: Wallet) {
  const id = String(run.personOf(wallet).id)
  const shown = readJson(await run.askAsOperator(readPerson, { id }))
  const { balance, debt, held, entries, isActive } = shown
  const expected = {
    balance: toMajor(wallet.balance),
    debt: toMajor(wallet.debt),
    held: toMajor(wallet.held),
    entries: wallet.entries.length,
    isActive: wallet.isActive,
  }
  assert.deepEqual({ balance, debt, held, entries, isActive }, expected, 'person')
  compareOpenHolds(run, wallet, shown['holds'] as Item[])
  compareLinks(run, wallet, shown['apps'] as Item[])
  await compareHistory(run, wallet, id)
}

function compareOpenHolds({ model }: Run, wallet: Wallet, shown: readonly Item[]) {
  const actual = shown.map(({ clientId, held, referenceId, isSuspended }) =>
    JSON.stringify([clientId, held, referenceId, isSuspended]),
  )
  const open = model.holds(undefined, wallet).filter((each) => stateOf(model, each) === 'open')
  const expected = open.map(({ app, remaining, referenceId, isSuspended }) =>
    JSON.stringify([app.clientId, toMajor(remaining), referenceId, isSuspended]),
  )
  assert.deepEqual(actual.toSorted(), expected.toSorted(), 'open holds')
}

function compareLinks({ model }: Run, wallet: Wallet, shown: readonly Item[]) {
  const actual = shown.map(({ serviceUserId, endedAt }) =>
    JSON.stringify([serviceUserId, endedAt === null]),
  )
  const links = model.links.filter((each) => each.wallet === wallet)
  const expected = links.map(({ serviceUserId, isLive }) => JSON.stringify([serviceUserId, isLive]))
  assert.deepEqual(actual.toSorted(), expected.toSorted(), 'links of the person')
}

async function compareHistory(run: Run, wallet: Wallet, id: string) {
  const read: Read = (endpoint, fields) => run.askAsOperator(endpoint, { id, ...fields })
  const newest = wallet.entries.toReversed()
  const [first, second] = run.model.apps
  const filters: Filter[] = [
    [{}, () => true],
    [{ kind: 'refund' }, ({ kind }) => kind === 'refund'],
    [{ clientId: first?.clientId }, ({ app }) => app === first],
    [
      { clientId: second?.clientId, type: 'credit' },
      (each) => each.app === second && !isOutgoing(each),
    ],
  ]
  await compareFiltered(run, filters, async (filter, fits) => {
    const found = await readPages(read, readPersonHistory, filter, 'transactions')
    const expected = newest.filter(fits).map(showToOperator)
    run.bindings.match(found, expected, `history for operators ${JSON.stringify(filter)}`)
  })
}
