/** Rounds of the automatic top-up, and what they leave behind. */
import assert from 'node:assert/strict'
import { many } from '../../database/statement.ts'
import { ServiceError } from '../../service-error.ts'
import { chargeTopup } from '../../topup/automatic/charge-topup.ts'
import { claimDue, startAutomatic } from '../../topup/automatic/start-due.ts'
import { claimDueTopups } from '../../topup/queries.ts'
import { giveBonus } from '../factories.ts'
import { openTopupSetup, walletOf, type TopupSetup } from '../topup-setup.ts'
import type { makeAutomatic } from './card-setup.ts'

export type AutomaticPerson = Awaited<ReturnType<typeof makeAutomatic>>

export async function openAutomaticSetup(env: Record<string, string> = {}) {
  const setup = await openTopupSetup({
    ...env,
    LOG_INS_PER_MINUTE: '10000',
    PASSWORD_HASHES_PER_SECOND: '1000',
  })
  return { ...setup, ...createTools(setup) }
}

export type AutomaticSetup = Awaited<ReturnType<typeof openAutomaticSetup>>

function createTools(setup: TopupSetup) {
  const { admin, context } = setup.harness
  const { tools } = setup
  const query = (text: string, values: unknown[] = []) => admin.query(text, values)
  /** Not by turns, which the sweeper of the service could take. */
  async function startDue() {
    for (const person of await claimDue(tools)) {
      await startAutomatic(tools, person).catch(ignoreProcessor)
    }
  }
  return {
    query,
    startDue,
    /** One round of the sweeper, as if the last attempt was an hour ago. */
    async sweepDue({ person }: AutomaticPerson) {
      await query(
        'update directory.automatic_topups set next_try_at = now() where service_user_id = $1',
        [person.id],
      )
      await query(`update directory.topups set next_check_at = now() where status = 'open'`)
      for (const topup of await many(tools.db, claimDueTopups(1_000))) {
        await chargeTopup(tools, topup).catch(ignoreProcessor)
      }
      await startDue()
    },
    balanceOf: async (person: AutomaticPerson) => (await walletOf(person)).balance,
    async topupsOf({ person }: AutomaticPerson) {
      const { rows } = await query(
        `select status, amount::int from directory.topups where service_user_id = $1 and is_automatic order by created_at`,
        [person.id],
      )
      return rows as { status: string; amount: number }[]
    },
    async suspensionOf({ person }: AutomaticPerson) {
      const { rows } = await query(
        'select suspended_for, failures::int from directory.automatic_topups where service_user_id = $1',
        [person.id],
      )
      return rows[0] as { suspended_for: string | null; failures: number } | undefined
    },
    give: ({ user }: AutomaticPerson, amountMinor: bigint) =>
      giveBonus(context.ledger, user.walletId, amountMinor),
    async intentOf({ person }: AutomaticPerson): Promise<string> {
      const { rows } = await query(
        'select intent_id from directory.topups where service_user_id = $1 and is_automatic order by created_at desc limit 1',
        [person.id],
      )
      return (rows[0] as { intent_id: string } | undefined)?.intent_id ?? assert.fail()
    },
  }
}

/** The sweeper tries again later. */
function ignoreProcessor(error: unknown) {
  const isLost = error instanceof ServiceError && error.code === 'PAYMENT_PROVIDER_ERROR'
  if (!isLost) throw error
}
