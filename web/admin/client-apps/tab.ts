import type { ClientApp } from '../calls.ts'

/** The props of every tab of a client app. */
export interface TabProps {
  app: ClientApp
  reload: () => Promise<void>
}
