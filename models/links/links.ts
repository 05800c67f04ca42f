/** People's links, sessions and tickets: sign-up, login, consent, link codes, emails, the logins of /account. */
import type { Model } from '../check-model.ts'
import { startTestService } from '../start-test-service.ts'
import { runMaintenance } from '../../server/run-maintenance.ts'
import { plan, RARE, type Plan } from './commands.ts'
import { lookAtAll } from './look.ts'
import { MAIL_ENV, Mailbox } from './mailbox.ts'
import { logInBoth, play } from './play.ts'
import { cacheHashes } from '../cache-hashes.ts'
import { MUST_HIT } from './must-hit.ts'
import { Run, PASSWORDS } from './run.ts'
import { SIGN_UPS_PER_HOUR } from './throttle.ts'

/** A processor that nobody calls: every request about a top-up is refused before. */
const PROCESSOR_ENV = {
  STRIPE_SECRET_KEY: 'sk_test_nobody',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_nobody',
  STRIPE_WEBHOOK_SECRET: 'whsec_nobody',
  STRIPE_API_URL: 'http://127.0.0.1:1',
  STRIPE_SCRIPT_URL: 'http://127.0.0.1:1/v3/',
}
const ENV = {
  ...MAIL_ENV,
  ...PROCESSOR_ENV,
  SIGN_UPS_PER_HOUR: String(SIGN_UPS_PER_HOUR),
  LOG_INS_PER_MINUTE: '1000000',
  PASSWORD_HASHES_PER_SECOND: '1000',
  WIDGET_REQUESTS_PER_SECOND: '1000000',
  SESSIONS_PER_SECOND: '1000000',
}
const MAINTENANCE_MS = 24 * 60 * 60 * 1000

export const MODEL: Model<Plan> = {
  name: 'links',
  plan,
  async open(hit) {
    const service = await startTestService(ENV)
    const { context } = service.harness
    cacheHashes(context.passwords, 4)
    const passwordHash = await context.passwords.hash(PASSWORDS[0] as string)
    const shared = { service, mailbox: new Mailbox(service.harness), passwordHash, hit }
    let maintainedMs = Date.now()
    return {
      async play(each, note) {
        // Days pass in a few seconds, and events need the partitions of their month.
        if (Date.now() - maintainedMs > MAINTENANCE_MS) {
          maintainedMs = Date.now()
          await runMaintenance(context)
        }
        const run = new Run(shared, each, note)
        await run.addShop()
        if (each.isLoggedIn) await logInBoth(run)
        for (const command of each.commands) await play(run, command)
        await lookAtAll(run)
      },
      close: () => service.close(),
    }
  },
  mustHit: MUST_HIT,
  plans: 200,
  first: RARE,
}
