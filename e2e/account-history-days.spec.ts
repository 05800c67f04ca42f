import { expect } from '@playwright/test'
import { readFileSync } from 'node:fs'
import { enter, makeOwner, pay } from './owner.ts'
import { test } from './setup.ts'

test.use({ timezoneId: 'America/Los_Angeles' })

/** Those of 29 January in Los Angeles are the second and the third. */
const TIMES = [
  '2026-01-29T07:59:59Z',
  '2026-01-29T08:00:00Z',
  '2026-01-30T07:59:59Z',
  '2026-01-30T08:00:00Z',
]

test('the history: the filter and the file have the days that the list shows', async ({
  window,
  tools,
}) => {
  const owner = await makeOwner(tools)
  await pay(tools, owner, TIMES.length)
  for (const [n, time] of TIMES.entries()) {
    await tools.admin.query(
      'update ledger.operations set created_at = $3 where wallet_id = $1 and seq = $2',
      [owner.walletId, n + 1, time],
    )
  }
  await enter(window, owner, '#history?from=2026-01-29&to=2026-01-29')
  await expect(window.locator('summary[id]')).toHaveCount(2)
  await expect(window.getByRole('heading', { level: 2 })).toHaveText('Thursday, January 29')
  const [file] = await Promise.all([
    window.waitForEvent('download'),
    window.getByRole('link', { name: 'Download CSV' }).click(),
  ])
  const [, ...lines] = readFileSync(await file.path(), 'utf8')
    .trim()
    .split('\r\n')
  const days = lines.map((line) => line.slice(0, '2026-01-29T08:00'.length))
  expect(days).toEqual(['2026-01-30T07:59', '2026-01-29T08:00'])
})
