import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: '.',
  reporter: 'list',
  workers: 1,
  timeout: 60_000,
  globalSetup: './global-setup.ts',
  use: {
    launchOptions: { executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] },
  },
})
