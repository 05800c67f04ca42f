import { expect } from '@playwright/test'
import { test } from './embed-setup.ts'

test('the wallet is in the language and theme that the page asks for', async ({ embed }) => {
  const { page } = embed
  await page.emulateMedia({ colorScheme: 'light' })
  await embed.openLinked(({ options, mount }) => {
    Object.assign(options, { locale: 'de', theme: 'dark' })
    mount()
  })
  const wallet = embed.widget
  await expect(wallet.locator('html')).toHaveAttribute('lang', 'de')
  await expect(wallet.getByRole('button', { name: 'Geld aufladen' })).toBeVisible()
  const dark = 'rgb(16, 18, 23)'
  await expect(wallet.locator('html')).toHaveCSS('background-color', dark)
  const opening = page.waitForEvent('popup')
  await wallet.getByRole('button', { name: 'Geld aufladen' }).click()
  const topup = await opening
  for (let visit = 0; visit < 2; visit++) {
    await expect(topup.locator('html')).toHaveAttribute('lang', 'de')
    await expect(topup.locator('html')).toHaveCSS('background-color', dark)
    await expect(topup).toHaveURL(/\?clientId=app_\w+&locale=de&theme=dark$/)
    // The URL keeps both.
    await topup.reload()
  }
})

test('a wallet with a height of its own is scrolled', async ({ embed }) => {
  await embed.openLinked(({ options, mount }) => {
    Object.assign(options, { height: '300px' })
    mount()
  })
  await expect(embed.balance()).toBeVisible()
  const isScrolled = () => {
    scrollTo(0, 1_000)
    return getComputedStyle(document.documentElement).overflowY === 'auto' && scrollY > 0
  }
  await expect.poll(() => embed.page.frames().at(1)?.evaluate(isScrolled)).toBe(true)
})
