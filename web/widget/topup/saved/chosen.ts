/** Which card pays. The form changes it, and `createIntent` sends it. */
import type { CardChoice } from '../address.ts'

interface Chosen {
  choice: CardChoice
  /** In the widget only: what the person got for the password. It pays once. */
  ticket?: string
  /** In the widget only: call this when the ticket was used and there is no payment. */
  onLost?: () => void
}

export const chosen: Chosen = { choice: {} }
