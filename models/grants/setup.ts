/** The service, and the operators and the app that all plans share. Every plan begins with these operators as new. */
import type { Role } from '@coffer/contract/admin/endpoint'
import { hash, randomBytes } from 'node:crypto'
import type { TOTP } from 'otpauth'
import { COOKIE } from '../../server/admin/require-operator.ts'
import { KNOWN_EVERYWHERE_MS } from '../../server/admin/client-apps/rotate-client-secret.ts'
import { runMaintenance } from '../../server/run-maintenance.ts'
import { ADMIN_ENV, makeOperator } from '../../server/test/admin-setup.ts'
import type { Authenticator } from '../../server/test/authenticator.ts'
import { makeClientApp, type TestApp } from '../../server/test/factories.ts'
import type { Harness } from '../../server/test/harness.ts'
import { givePasskey } from '../../server/test/passkey-setup.ts'
import { startTestService, skipWait, type TestService } from '../start-test-service.ts'
import { SLOTS } from './commands.ts'
import { DAY_MS, THRESHOLD, toText } from './model.ts'

/** An operator whom each plan uses again, with an authenticator and a passkey. */
export interface Slot {
  id: bigint
  email: string
  password: string
  totp: TOTP
  key: Authenticator
}

export interface GrantsSetup {
  service: TestService
  slots: Slot[]
  /** To whom the service sent emails since the driver looked. */
  sent: string[]
  /** Places the holds. No operator changes it. */
  shop: TestApp
  plans: number
  maintainedMs: number
}

export async function openGrantsSetup(): Promise<GrantsSetup> {
  // Until every process knows a new secret. There is only one process here.
  skipWait(KNOWN_EVERYWHERE_MS)
  const service = await startTestService({
    ...ADMIN_ENV,
    // The origin of the passkeys of the tests.
    PUBLIC_URL: 'http://localhost',
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'Coffer <wallet@service.example>',
    SECOND_OPERATOR_ABOVE: toText(THRESHOLD),
  })
  const { harness } = service
  const sent: string[] = []
  const { mailer } = harness.context
  Object.assign(mailer ?? {}, { send: (to: string) => sent.push(to), deliver: () => undefined })
  const slots: Slot[] = []
  for (let slot = 0; slot < SLOTS; slot++) {
    const operator = await makeOperator(harness, 'owner')
    slots.push({ ...operator, key: await givePasskey(service, operator, { counts: false }) })
  }
  await harness.admin.query(`
    update admin.operators set totp_step = 0;
    create temporary table slots as select * from admin.operators order by id;
    create temporary table slot_passkeys as select * from admin.passkeys`)
  const shop = await makeClientApp(harness.context, { name: 'Shop of holds' })
  return { service, slots, sent, shop, plans: 0, maintainedMs: Date.now() }
}

/** Partitions are made for some months ahead. */
const MAINTAINED_EVERY_MS = 10 * DAY_MS

export interface Member {
  role: Role
  createdBy: number | null
}

/** Removes the operators and grants of the previous plan. Returns the last audit entry from before this plan. */
export async function resetOperators(
  setup: GrantsSetup,
  members: readonly Member[],
): Promise<string> {
  const { slots, service } = setup
  const { admin, context } = service.harness
  if (Date.now() - setup.maintainedMs > MAINTAINED_EVERY_MS) {
    setup.maintainedMs = Date.now()
    await runMaintenance(context)
  }
  await context.ledger.setPause(null)
  await admin.query(`
    delete from admin.grants;
    delete from admin.log_ins;
    delete from admin.tickets;
    delete from admin.passkeys;
    delete from admin.operator_resets;
    update admin.operators set created_by = null;
    delete from admin.operators;
    delete from directory.log_in_failures;
    insert into admin.operators overriding system value select * from slots
      order by id limit ${members.length};
    insert into admin.passkeys overriding system value select * from slot_passkeys
      where operator_id in (select id from admin.operators)`)
  const rows = members.map(({ role, createdBy }, index) => ({
    id: String(slots[index]?.id),
    role,
    created_by: createdBy === null ? null : String(slots[createdBy]?.id),
  }))
  const { rows: last } = await admin.query<{ id: string | null }>(
    `with changed as (
        update admin.operators o set role = r.role, created_by = r.created_by
        from jsonb_to_recordset($1::jsonb) as r (id bigint, role text, created_by bigint)
        where o.id = r.id
      )
      select max(id) as id from admin.audit`,
    [JSON.stringify(rows)],
  )
  return last[0]?.id ?? '0'
}

/** A browser in which the operator has just logged in: returns its Cookie header. */
export async function giveLogIn({ admin }: Harness, operatorId: string): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await admin.query(
    `insert into admin.log_ins (token_hash, operator_id, address, device, expires_at)
      values ($1, $2, '127.0.0.1', 'Test', now() + interval '8 hours')`,
    [hash('sha256', token, 'buffer'), operatorId],
  )
  return `${COOKIE}=${token}`
}
