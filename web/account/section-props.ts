import type { Account } from './calls.ts'

/** The props of every section. */
export interface SectionProps {
  account: Account
  reload: () => Promise<void>
}
