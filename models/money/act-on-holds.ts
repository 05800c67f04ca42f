/** What operators, people and jobs do with open holds. */
import { releaseHold } from '@coffer/contract/admin/grants'
import { allowHold, readPerson } from '@coffer/contract/admin/people'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { suspendHolds } from '../../server/ledger/holds.ts'
import { expireHolds } from '../../server/wallet/expire-holds.ts'
import { compareGrant } from './act-on-wallets.ts'
import type { CommandFields } from './commands.ts'
import { readJson, type Item } from './compare-wallets.ts'
import { reportBalances } from './jobs.ts'
import type { Run } from './run.ts'
import type { Decision } from './state.ts'

const DAY_MS = 86_400_000
/** A person can report for so long that somebody else logged in. */
const SUSPENDED_DAYS = 7
const REASON = 'The app is gone'

function findHold({ model }: Run, at: number): Decision | undefined {
  const open = model.holds().filter((each) => each.remaining > 0)
  return open.toReversed()[at % Math.max(1, open.length)]
}

export async function release(run: Run, { hold: at }: CommandFields['release']) {
  const found = await findListed(run, at)
  if (!found) return
  await reportAlone(run)
  const { hold, holdId } = found
  const id = randomUUID()
  const personId = String(run.personOf(hold.wallet).id)
  const fields = { id, personId, hold: holdId, reason: REASON }
  const response = await run.askAsOperator(releaseHold, fields)
  const reference = { referenceType: 'OPERATOR_RELEASE', referenceId: id }
  compareGrant(run, releaseHold, response, run.model.releaseForApp(hold, reference))
  await reportAlone(run)
}

/** The person cannot log in afterwards, so only this part of it happens. */
export async function suspend(run: Run, { hold: at }: CommandFields['suspend']) {
  const hold = findHold(run, at)
  if (!hold) return
  const { model, setup } = run
  const { wallet } = hold
  run.note(`suspend the holds of wallet ${wallet.index}`)
  const { walletId } = run.personOf(wallet)
  await suspendHolds(setup.harness.context.db, walletId, SUSPENDED_DAYS)
  const sinceMs = model.nowMs - SUSPENDED_DAYS * DAY_MS
  for (const each of model.holds(undefined, wallet)) {
    if (each.remaining > 0 && each.atMs > sinceMs) each.isSuspended = true
  }
}

export async function allow(run: Run, { hold: at }: CommandFields['allow']) {
  const found = await findListed(run, at)
  if (!found) return
  const { hold, holdId } = found
  run.note(`allow the capture of ${hold.referenceType} ${hold.referenceId}`)
  const id = String(run.personOf(hold.wallet).id)
  readJson(await run.askAsOperator(allowHold, { id, hold: holdId, reason: REASON }))
  if (hold.isSuspended) run.hit('allow a capture')
  hold.isSuspended = false
}

/** The page of the person does not list a hold whose time is over. */
async function findListed(run: Run, at: number) {
  const hold = findHold(run, at)
  if (!hold) return undefined
  const id = String(run.personOf(hold.wallet).id)
  const shown = readJson(await run.askAsOperator(readPerson, { id }))
  const found = (shown['holds'] as Item[]).find(
    ({ clientId, referenceType, referenceId }) =>
      clientId === hold.app.clientId &&
      referenceType === hold.referenceType &&
      referenceId === hold.referenceId,
  )
  assert.equal(found !== undefined, !run.model.isDue(hold), 'open holds are listed')
  return found && { hold, holdId: String(found['id']) }
}

export async function bookExpiries(run: Run) {
  await reportAlone(run)
  run.note('expire holds')
  await expireHolds(run.setup.harness.context)
  for (const wallet of run.model.wallets) run.model.bookDueHolds(wallet)
  await reportAlone(run)
}

/** Several changes of a balance are one event, so another change can hide that this one is missing. */
async function reportAlone(run: Run) {
  if (run.plan.reader % 2 === 0) await reportBalances(run)
}
