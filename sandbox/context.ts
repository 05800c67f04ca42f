import type { Faults } from './faults.ts'
import type { Settings } from './settings.ts'
import type { State } from './state.ts'
import type { WebhookSender } from './webhooks/deliver-webhooks.ts'

export type Sandbox = {
  settings: Settings
  state: State
  faults: Faults
  webhookSender: WebhookSender
}
