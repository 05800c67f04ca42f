/** What all plans of the model of money share: the service, an operator, and the time. */
import {
  startLogIn as startOperatorLogIn,
  COOKIE as OPERATOR_COOKIE,
} from '../../server/admin/require-operator.ts'
import { COOKIE, startLogIn } from '../../server/account/require-log-in.ts'
import { inTransaction } from '../../server/database/in-transaction.ts'
import { prepareEventPartitions } from '../../server/events/feed/keep-partitions.ts'
import { ADMIN_ENV, makeOperator } from '../../server/test/admin-setup.ts'
import { blockTotals } from '../../server/test/books-setup.ts'
import { startOwnHarness, type Harness } from '../../server/test/harness.ts'
import { PASSWORD } from '../../server/test/sign-in.ts'
import { startTestService, type TestService } from '../start-test-service.ts'

export interface MoneySetup extends TestService {
  /** Two processes of the service. Jobs run in the first one. */
  processes: readonly [Harness, Harness]
  /** Of all people, hashed once. */
  passwordHash: string
  operatorId: bigint
  passed: Passed
}

interface Passed {
  /** How often time has passed. Logins end soon. */
  times: number
  totalMs: number
  /** When there were partitions for the next weeks. */
  preparedMs: number
}

const ENV = {
  ...ADMIN_ENV,
  APP_REQUESTS_PER_SECOND: '1000000',
  SECOND_OPERATOR_ABOVE: '1000000',
}
const DAY_MS = 86_400_000

export async function openMoneySetup(): Promise<MoneySetup> {
  const setup = await startTestService(ENV)
  const { harness } = setup
  // The first one drops the database.
  const database = { url: harness.databaseUrl, drop: () => Promise.resolve() }
  const second = await startOwnHarness(ENV, database, { runsJobs: false })
  await blockTotals(harness.admin)
  const { id: operatorId } = await makeOperator(harness, 'owner')
  const passwordHash = await harness.context.passwords.hash(PASSWORD)
  return {
    ...setup,
    processes: [harness, second],
    passwordHash,
    operatorId,
    passed: { times: 0, totalMs: 0, preparedMs: 0 },
    async close() {
      await second.end()
      await setup.close()
    },
  }
}

/** Partitions of months that nobody needs any more make everything slow. */
export function isTooOld({ passed }: MoneySetup): boolean {
  return passed.totalMs > 1_000 * DAY_MS
}

export async function passTime({ harness, clock, passed }: MoneySetup, ms: number) {
  clock.advanceMs(ms)
  passed.times++
  passed.totalMs += ms
  if (passed.totalMs - passed.preparedMs < DAY_MS) return
  passed.preparedMs = passed.totalMs
  await harness.context.ledger.preparePartitions()
  await prepareEventPartitions(harness.context.backgroundDb)
}

export async function logInOperator({ harness, operatorId }: MoneySetup): Promise<string> {
  const address = '192.0.2.1'
  const caller = { address, network: address, userAgent: 'test', cookie: () => undefined }
  const token = await inTransaction(harness.context.db, (tx) =>
    startOperatorLogIn(tx, operatorId, caller),
  )
  return `${OPERATOR_COOKIE}=${token}`
}

export async function logInPerson(
  { harness, passwordHash }: { harness: Harness; passwordHash: string },
  userId: bigint,
): Promise<string> {
  const token = await startLogIn(harness.context, { userId, passwordHash }, 'test', undefined)
  return `${COOKIE}=${token}`
}
