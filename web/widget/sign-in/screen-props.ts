import type { AuthStep } from '@coffer/contract/widget/widget'
import type { Result } from '../../ui/request.ts'

/** The request that led to the current step. Sent again, it causes a new code. */
export interface FirstRequest {
  email: string
  send: () => Promise<Result<AuthStep>>
}

/** The props of every sign-in screen. */
export interface ScreenProps {
  email: string
  setEmail: (email: string) => void
  /** Shows the screen of the next step. */
  follow: (step: AuthStep) => void
  toLogIn: (notice?: string) => void
}
