import type { ClientApp } from '../calls.ts'

/** What every tab of a client app is given. */
export interface TabProps {
  app: ClientApp
  reload: () => Promise<void>
}
