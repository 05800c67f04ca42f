export type Settings = {
  /** Where browsers reach the sandbox: the address written into scripts and challenge links. */
  publicUrl: string
  secretKey: string
  publishableKey: string
  webhookSecret: string
  webhookRetryPausesMs: number[]
  webhookTimeoutMs: number
}
