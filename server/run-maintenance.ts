/** Periodic maintenance; running it twice or in several processes at once is harmless. */
import { pruneAlertEmails } from './account/alerts/send-alerts.ts'
import { pruneLogIns } from './account/require-log-in.ts'
import { pruneUndoLinks } from './account/undo-email-change.ts'
import { finishGrants } from './admin/grants/post-grant.ts'
import { pruneAdminLogIns } from './admin/require-operator.ts'
import type { Context } from './context.ts'
import { dropOldEvents, prepareEventPartitions } from './events/feed/keep-partitions.ts'
import { pruneTraffic } from './http/count-traffic.ts'
import { pruneRateLimits } from './http/share-rate-limit.ts'
import { pruneLinkCodes } from './identity/exchange-link-code.ts'
import { prunePasskeyChallenges } from './identity/passkeys/create-challenge.ts'
import { pruneFailures } from './identity/throttle-attempts.ts'
import { pruneTickets } from './identity/ticket.ts'
import { pruneWarningLinks } from './identity/warning-link.ts'
import { requireCurrency } from './require-currency.ts'
import { pruneEvents } from './topup/receive-webhook.ts'
import { pruneDeliveries } from './events/webhooks/record-attempts.ts'
import { resealSecrets } from './events/webhooks/seal-secret.ts'
import { pruneSessions } from './widget/require-session.ts'

export async function runMaintenance(context: Context) {
  const { backgroundDb: db, ledger, config, log, metrics } = context
  const prunes = {
    link_codes: () => pruneLinkCodes(db),
    widget_sessions: () => pruneSessions(db),
    tickets: () => pruneTickets(db),
    undo_links: () => pruneUndoLinks({ db }),
    warning_links: () => pruneWarningLinks(db),
    alert_emails: () => pruneAlertEmails({ db }),
    log_ins: () => pruneLogIns({ db }),
    passkey_challenges: () => prunePasskeyChallenges(db),
    log_in_failures: () => pruneFailures(db),
    processor_events: () => pruneEvents({ db }),
    admin_log_ins: () => pruneAdminLogIns({ db }),
    traffic: () => pruneTraffic({ db }),
    rate_limits: () => pruneRateLimits({ db }),
    webhook_deliveries: () => pruneDeliveries(db),
    mismatches: () => ledger.pruneMismatches(),
  }
  const tasks: Record<string, () => Promise<unknown>> = {
    preparePartitions: () => preparePartitions(context),
    prepareEventPartitions: () => prepareEventPartitions(db),
    dropOldEvents: () => dropOldEvents(db),
    // A failover right after the first start can lose the record, because it does not wait for a standby.
    requireCurrency: () => requireCurrency(db, config.currency),
    resealSecrets: () => resealSecrets(context),
    finishGrants: () => finishGrants({ db, ledger, config }),
  }
  for (const [kind, prune] of Object.entries(prunes)) {
    tasks[`prune ${kind}`] = async () => metrics.countPruned(kind, await prune())
  }
  for (const [task, run] of Object.entries(tasks)) {
    try {
      await run()
    } catch (error) {
      log.error({ task, err: error }, 'maintenance task failed; it runs again in an hour')
    }
  }
}

async function preparePartitions({ ledger, metrics, log }: Context) {
  const partitions = await ledger.preparePartitions()
  metrics.setPartitions(partitions)
  for (const { month, error } of partitions.missing) {
    log.error({ month, err: error }, 'could not create a partition; see docs/operations.md')
  }
}
