/** How long each thing that expires is valid, and when it is deleted. A new table with an expiry needs a row. */
import { replaceClientSecret } from '@coffer/contract/admin/client-apps'
import * as limits from '@coffer/contract/limits'
import { logIn } from '@coffer/contract/widget/widget'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { pruneLogIns } from '../../account/require-log-in.ts'
import { pruneUndoLinks } from '../../account/undo-email-change.ts'
import { pruneAdminLogIns } from '../../admin/require-operator.ts'
import { rotateSecret } from '../../client-app/rotate-secret.ts'
import { pruneLinkCodes } from '../../identity/exchange-link-code.ts'
import { prunePasskeyChallenges } from '../../identity/passkeys/create-challenge.ts'
import { pruneTickets } from '../../identity/ticket.ts'
import { pruneWarningLinks } from '../../identity/warning-link.ts'
import { logInAs } from '../account-setup.ts'
import { askAs, beginLogIn, logInAgain } from '../admin-setup.ts'
import { INPUTS } from '../contract-inputs.ts'
import { openContractService, type ContractService } from '../contract-service.ts'
import { makeClientApp } from '../factories.ts'
import { requestLogInChallenge, requestPersonChallenge } from '../passkey-setup.ts'
import { mintSession } from '../shop.ts'
import { makePerson, PASSWORD, step } from '../sign-in.ts'
import { pruneSessions } from '../../widget/require-session.ts'

interface Row {
  title: string
  table: string
  seconds: number
  make: (service: ContractService) => unknown
  /** undefined: it is not deleted. */
  prune?: (service: ContractService) => Promise<unknown>
  /** How long it is kept after it expires. */
  keptSeconds?: number
}

const TICKET = {
  table: 'directory.tickets',
  seconds: limits.TICKET_MINUTES * 60,
  prune: ({ harness }: ContractService) => pruneTickets(harness.context.db),
}
const HOUR = 60 * 60
const DAY = 24 * HOUR

async function rotate({ harness }: ContractService, overlap: '1h' | '24h' | '7d') {
  const { db, config } = harness.context
  const { clientId } = await makeClientApp(harness.context)
  await rotateSecret({ db, peppers: config.peppers }, clientId, { overlap })
}

async function replaceSecret(service: ContractService) {
  const contactEmails = ['dev@shop.example']
  const { clientId } = await makeClientApp(service.harness.context, { contactEmails })
  const response = await askAs(service, service.operator, replaceClientSecret, { clientId })
  assert.equal(response.statusCode, 200, response.body)
}

async function logInUnverified(service: ContractService) {
  const { email } = await makePerson(service, { isVerified: false })
  await step(service, logIn, { clientId: service.app.clientId, email, password: PASSWORD })
}

const pruneAdmin = ({ harness }: ContractService) => pruneAdminLogIns(harness.context)

const ROWS: readonly Row[] = [
  { title: 'the code of a sign-up', ...TICKET, make: INPUTS.verifyEmail },
  { title: 'the code for an unverified address', ...TICKET, make: logInUnverified },
  { title: 'the consent question', ...TICKET, make: INPUTS.agree },
  {
    title: 'the link of a password reset',
    ...TICKET,
    seconds: limits.RESET_LINK_MINUTES * 60,
    make: INPUTS.resetAccountPassword,
  },
  { title: 'the code for a new address', ...TICKET, make: INPUTS.verifyNewEmail },
  {
    title: 'the link that undoes a change of the email address',
    table: 'directory.undo_links',
    seconds: limits.UNDO_LINK_DAYS * DAY,
    make: INPUTS.undoEmailChange,
    prune: ({ harness }) => pruneUndoLinks(harness.context),
  },
  {
    title: 'the link "This wasn\'t me" in an email',
    table: 'directory.warning_links',
    seconds: limits.WARNING_LINK_DAYS * DAY,
    make: INPUTS.secureAccount,
    prune: ({ harness }) => pruneWarningLinks(harness.context.db),
  },
  {
    title: 'the link to a new client secret',
    table: 'directory.tickets',
    seconds: limits.SECRET_LINK_HOURS * HOUR,
    make: replaceSecret,
    prune: TICKET.prune,
  },
  {
    title: 'a link code',
    table: 'directory.link_codes',
    seconds: limits.LINK_CODE_SECONDS,
    make: INPUTS.exchangeLinkCode,
    prune: ({ harness }) => pruneLinkCodes(harness.context.db),
  },
  {
    title: 'a widget session',
    table: 'directory.widget_sessions',
    seconds: limits.SESSION_SECONDS,
    make: (service) => mintSession(service),
    prune: ({ harness }) => pruneSessions(harness.context.db),
    keptSeconds: limits.SESSION_KEPT_HOURS * HOUR,
  },
  {
    title: 'the login of a user',
    table: 'directory.log_ins',
    seconds: 12 * HOUR,
    make: ({ harness, person }) => logInAs(harness, person.email),
    prune: ({ harness }) => pruneLogIns(harness.context),
  },
  {
    title: 'the first login step of an operator',
    table: 'admin.tickets',
    seconds: limits.TICKET_MINUTES * 60,
    make: ({ harness, operator }) => beginLogIn(harness, operator),
    prune: pruneAdmin,
  },
  {
    title: 'the login of an operator',
    table: 'admin.log_ins',
    seconds: 8 * HOUR,
    make: (service) => logInAgain(service, service.operator),
    prune: pruneAdmin,
  },
  {
    title: 'the challenge for a passkey of a person',
    table: 'directory.passkey_challenges',
    seconds: limits.PASSKEY_CHALLENGE_MINUTES * 60,
    make: (service) => requestPersonChallenge(service),
    prune: ({ harness }) => prunePasskeyChallenges(harness.context.db),
  },
  {
    title: 'the challenge for a passkey of an operator',
    table: 'admin.passkey_challenges',
    seconds: limits.PASSKEY_CHALLENGE_MINUTES * 60,
    make: (service) => requestLogInChallenge(service),
    prune: pruneAdmin,
  },
  {
    title: 'a secret that is replaced within an hour',
    table: 'directory.client_secrets',
    seconds: HOUR,
    make: (service) => rotate(service, '1h'),
  },
  {
    title: 'a secret that is replaced within a day',
    table: 'directory.client_secrets',
    seconds: DAY,
    make: (service) => rotate(service, '24h'),
  },
  {
    title: 'a secret that is replaced within a week',
    table: 'directory.client_secrets',
    seconds: 7 * DAY,
    make: (service) => rotate(service, '7d'),
  },
]
/** The longest time between insertion and comparison on a slow machine. */
const SLOW_SECONDS = 60

describe('everything that expires', () => {
  let service: Awaited<ReturnType<typeof openContractService>>
  before(async () => {
    service = await openContractService({ PUBLIC_URL: 'http://localhost' })
  })
  after(() => service.close())

  it('has a row for every table with an expiry', async () => {
    const { rows } = await service.harness.admin.query<{ name: string }>(
      `select table_schema || '.' || table_name as name from information_schema.columns
       where column_name = 'expires_at'`,
    )
    // Holds and their outcomes are kept forever.
    const kept = ['ledger.operation_keys', 'ledger.holds']
    const tables = new Set([...kept, ...ROWS.map(({ table }) => table)])
    assert.deepEqual(rows.map(({ name }) => name).toSorted(), [...tables].toSorted())
  })

  for (const { title, table, seconds, make, prune, keptSeconds = 0 } of ROWS) {
    it(`${title} is valid for ${seconds} seconds by the clock of the database`, async () => {
      const { admin } = service.harness
      await admin.query(
        `create temp table known as select ctid as place, xmin::text as version from ${table}`,
      )
      await make(service)
      const { rows } = await admin.query<{ left: number }>(
        `select extract(epoch from t.expires_at - now())::float as left from ${table} t
         where t.expires_at is not null and (t.ctid, t.xmin::text) not in (select * from known)`,
      )
      await admin.query('drop table known')
      assert(rows.length > 0)
      const left = Math.max(...rows.map((row) => row.left))
      assert(left <= seconds && left > seconds - SLOW_SECONDS, `${left} seconds are left`)
    })

    if (prune === undefined) continue
    it(`${title} is deleted ${keptSeconds} seconds after it expires, and not before`, async () => {
      const { admin } = service.harness
      await make(service)
      const count = async () =>
        (await admin.query<{ count: number }>(`select count(*)::int from ${table}`)).rows[0]?.count
      const all = await count()
      const setEnd = (ago: number) =>
        admin.query(
          `update ${table} set expires_at = now() - make_interval(secs => $1)
           where ctid = (select max(ctid) from ${table})`,
          [ago],
        )
      if (keptSeconds > 0) await setEnd(keptSeconds - SLOW_SECONDS)
      await prune(service)
      assert.equal(await count(), all)
      await setEnd(keptSeconds + 1)
      await prune(service)
      assert.equal(await count(), (all ?? 0) - 1)
    })
  }
})
