/** Which card pays. The form changes it, and `createIntent` sends it. */
import type { CardChoice } from '../address.ts'

interface Chosen {
  choice: CardChoice
  /** In the widget only: the service returned it for the password. It allows one payment. */
  ticket?: string
  /** In the widget only: called when the ticket was used and no payment was created. */
  onNotPaid?: () => void
}

export const chosen: Chosen = { choice: {} }
