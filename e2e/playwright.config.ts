import { defineConfig } from '@playwright/test'

// Each worker has its own service, so a test that pauses all writes or ends all sessions affects no other worker.
const worker = process.env['TEST_PARALLEL_INDEX']
if (worker !== undefined)
  Object.assign(process.env, JSON.parse(process.env['PLATFORMS'] ?? '[]')[Number(worker)])

/** The screenshots assert nothing, so they are made only on request. */
const wantsPictures = process.env['SCREENSHOTS'] === 'true'
/** These open every state of every page, which takes minutes. */
const isNightly = process.env['NIGHTLY'] === 'true'
const ON_REQUEST = ['screenshots*.spec.ts', '*.nightly.spec.ts']
const requested = wantsPictures ? ON_REQUEST[0] : isNightly ? ON_REQUEST[1] : undefined

export default defineConfig({
  testDir: '.',
  testMatch: requested ?? '*.spec.ts',
  testIgnore: requested ? [] : ON_REQUEST,
  reporter: 'list',
  workers: 3,
  // A busy machine is slow, which is not an error.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  globalSetup: './global-setup.ts',
  use: {
    // A failed test leaves a picture and a trace in test-results/: open it with `npx playwright show-trace`.
    screenshot: 'only-on-failure',
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false, sources: false },
    launchOptions: { executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] },
  },
})
