export type Settings = {
  /** The address that browsers use; it is part of scripts and challenge links. */
  publicUrl: string
  secretKey: string
  publishableKey: string
  webhookSecret: string
  webhookRetryDelaysMs: number[]
  webhookTimeoutMs: number
}
