import { defineConfig } from '@playwright/test'

/** The pictures assert nothing, so they are made only when asked for. */
const wantsPictures = process.env['SCREENSHOTS'] === 'true'

export default defineConfig({
  testDir: '.',
  testMatch: wantsPictures ? 'screenshots*.spec.ts' : '*.spec.ts',
  testIgnore: wantsPictures ? [] : 'screenshots*.spec.ts',
  reporter: 'list',
  workers: 1,
  timeout: 60_000,
  globalSetup: './global-setup.ts',
  use: {
    launchOptions: { executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] },
  },
})
