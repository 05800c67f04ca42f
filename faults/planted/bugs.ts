/** All planted bugs. To add one, add an object to one of the lists; a new list is added here. */
import { ADMIN_BUGS } from './admin-bugs.ts'
import { AUDIT_BUGS } from './audit-bugs.ts'
import { BATCH_BUGS } from './batch-bugs.ts'
import { REFUND_BUGS } from './refund-bugs.ts'
import { BOOKS_BUGS } from './books-bugs.ts'
import { BROWSER_BUGS } from './browser-bugs.ts'
import { DAMAGE_BUGS } from './damage-bugs.ts'
import { DATABASE_BUGS } from './database-bugs.ts'
import { EDGE_BUGS } from './edge-bugs.ts'
import { EVENT_BUGS } from './event-bugs.ts'
import { EVERYDAY_BUGS } from './everyday-bugs.ts'
import { HOLD_BUGS } from './hold-bugs.ts'
import { IDENTITY_BUGS } from './identity-bugs.ts'
import { CARD_BUGS } from './card-bugs.ts'
import { JOIN_BUGS } from './join-bugs.ts'
import { LEDGER_BUGS } from './ledger-bugs.ts'
import { LOCKOUT_BUGS } from './lockout-bugs.ts'
import { MISMATCH_BUGS } from './mismatch-bugs.ts'
import { PAGE_BUGS } from './page-bugs.ts'
import type { PlantedBug } from './planted-bug.ts'
import { PASSKEY_BUGS } from './passkey-bugs.ts'
import { READ_BUGS } from './read-bugs.ts'
import { RECEIVE_BUGS } from './receive-bugs.ts'
import { SECRET_BUGS } from './secret-bugs.ts'
import { SERVER_BUGS } from './server-bugs.ts'
import { SPEND_BUGS } from './spend-bugs.ts'
import { TOPUP_BUGS } from './topup-bugs.ts'
import { WEBHOOK_BUGS } from './webhook-bugs.ts'

export const BUGS: readonly PlantedBug[] = [
  ...CARD_BUGS,
  ...JOIN_BUGS,
  ...LEDGER_BUGS,
  ...BATCH_BUGS,
  ...REFUND_BUGS,
  ...EVENT_BUGS,
  ...WEBHOOK_BUGS,
  ...RECEIVE_BUGS,
  ...HOLD_BUGS,
  ...SPEND_BUGS,
  ...MISMATCH_BUGS,
  ...BOOKS_BUGS,
  ...AUDIT_BUGS,
  ...ADMIN_BUGS,
  ...SECRET_BUGS,
  ...SERVER_BUGS,
  ...TOPUP_BUGS,
  ...IDENTITY_BUGS,
  ...LOCKOUT_BUGS,
  ...PASSKEY_BUGS,
  ...PAGE_BUGS,
  ...BROWSER_BUGS,
  ...DAMAGE_BUGS,
  ...DATABASE_BUGS,
  ...READ_BUGS,
  ...EDGE_BUGS,
  ...EVERYDAY_BUGS,
]
