import type { Page } from '@playwright/test'
import type { Tools } from './setup.ts'

/** A page of the admin area in one state, for screenshots and accessibility checks. */
export interface AdminState {
  name: string
  open: (page: Page, tools: Tools) => Promise<void>
}
