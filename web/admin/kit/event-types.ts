import type { EventType } from '../calls.ts'

export const EVENT_TYPES: readonly EventType[] = [
  'topup.credited',
  'balance.changed',
  'link.created',
  'link.ended',
  'wallet.frozen',
  'wallet.unfrozen',
  'hold.expired',
  'client_app.secret_rotated',
  'client_app.changed',
  'webhook.disabled',
]
