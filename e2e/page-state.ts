import type { Page } from '@playwright/test'
import type { Tools } from './setup.ts'

/** A page of /account or /admin in one state, for screenshots and accessibility checks. */
export interface PageState {
  name: string
  open: (page: Page, tools: Tools) => Promise<void>
}
