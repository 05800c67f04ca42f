import type { Page } from '@playwright/test'
import type { Tools } from './setup.ts'

/** A state of /account. */
export interface AccountState {
  name: string
  open: (page: Page, tools: Tools) => Promise<void>
}
