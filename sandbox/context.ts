import type { Faults } from './faults.ts'
import type { State } from './state.ts'
import type { Courier } from './webhooks/deliver-webhooks.ts'

export type Settings = {
  /** Where browsers reach the sandbox: the address written into scripts and challenge links. */
  publicUrl: string
  secretKey: string
  publishableKey: string
  webhookSecret: string
  webhookRetryPausesMs: number[]
  webhookTimeoutMs: number
}

export type Sandbox = {
  settings: Settings
  state: State
  faults: Faults
  courier: Courier
}
