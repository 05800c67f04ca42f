import type { Webhook } from '../calls.ts'
import { Badge } from '../kit/badge.tsx'

const STATES = {
  on: 'Active',
  failing: 'Failing',
  switched_off: 'Switched off',
  gone: 'Disabled',
  failing_long: 'Disabled',
  secret_ended: 'Disabled',
}

/** The key of the state in STATES, KINDS and STATE_HINTS. */
export function stateOf({ disabled, failingSince }: Webhook) {
  if (disabled?.reason === 'failing') return 'failing_long'
  if (disabled) return disabled.reason
  return failingSince ? 'failing' : 'on'
}

const KINDS = {
  on: 'good',
  failing: 'warning',
  failing_long: 'danger',
  gone: 'danger',
  secret_ended: 'danger',
  switched_off: undefined,
} as const

export function WebhookState({ webhook }: { webhook: Webhook }) {
  const state = stateOf(webhook)
  const kind = KINDS[state]
  return <Badge {...(kind && { kind })}>{STATES[state]}</Badge>
}
