import type { AuthStep } from '@coffer/contract/widget-api'
import type { SignUpInput } from '../calls.ts'

/** The props of every sign-in screen. */
export interface ScreenProps {
  email: string
  setEmail: (email: string) => void
  /** Shows the screen of the next step. `input` is needed to request a new code. */
  follow: (step: AuthStep, input?: SignUpInput) => void
  toLogIn: (notice?: string) => void
}
