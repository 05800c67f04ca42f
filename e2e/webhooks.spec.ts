/** The example shop with `listen`: an open page shows what happened elsewhere. */
import { expect, type Page } from '@playwright/test'
import type { RunningShop } from '../example/start-shop.ts'
import { envOf, startListening } from '../sdk/test/start-listening.ts'
import { enterShop, test, topUpInShop, WEBHOOK_SECRET, visibleWidgetIn } from './example-shop.ts'
import { enter as enterAccount } from './owner.ts'
import { newPerson, SERVICE, type NewPerson } from './setup.ts'
import { agree, logIn, seesWallet, signUp } from './sign-in.ts'

test('the open page reports a top-up, and shows the login when the person disconnects the shop', async ({
  window,
  browserContext,
  shop,
  app,
}) => {
  const target = ['--forward-to', `${shop.url}/webhooks`, '--secret', WEBHOOK_SECRET]
  const listening = startListening(target, envOf(app, SERVICE()))
  await listening.until(/^Ready/)

  const person = newPerson()
  await enterShop(window, shop, 'ada')
  await signUp(visibleWidgetIn(window), person)
  await seesWallet(visibleWidgetIn(window), person)
  await topUpInShop(window, '$25')
  const arrived = '$25.00 arrived in your wallet. You now have $25.00.'
  await expect(window.getByText(arrived)).toBeVisible()
  await listening.until(/topup\.credited evt_\w+, sequence 2: 204/)

  await disconnect(await browserContext.newPage(), person)
  await seesUnlinked(window, shop)
  await expect(window.getByText(arrived)).toBeHidden()

  const { status, stderr } = await listening.end('SIGINT')
  expect([status, stderr]).toEqual([0, ''])
})

test('without webhooks, the open page learns from the widget that the person disconnected the shop', async ({
  window,
  browserContext,
  shop,
}) => {
  const person = newPerson()
  await enterShop(window, shop, 'ada')
  await signUp(visibleWidgetIn(window), person)
  await seesWallet(visibleWidgetIn(window), person)
  await disconnect(await browserContext.newPage(), person)
  await window.bringToFront()
  await seesUnlinked(window, shop)
  await logIn(visibleWidgetIn(window), person)
  await agree(visibleWidgetIn(window))
  await seesWallet(visibleWidgetIn(window), person)
})

async function disconnect(account: Page, person: NewPerson) {
  await enterAccount(account, person, '#apps')
  await account.getByRole('button', { name: 'Disconnect Bean & Leaf' }).click()
  const dialog = account.getByRole('dialog', { name: 'Disconnect Bean & Leaf?' })
  await dialog.getByRole('button', { name: 'Disconnect' }).click()
  await expect(account.getByText('Bean & Leaf is disconnected.')).toBeVisible()
}

async function seesUnlinked(page: Page, { store }: RunningShop) {
  await expect(page.getByText('Your wallet is no longer linked to this shop.')).toBeVisible()
  const login = visibleWidgetIn(page).getByRole('heading', { name: 'Log in to your wallet' })
  await expect(login).toBeVisible()
  expect(store.findUser('ada', 'coffee')).not.toHaveProperty('serviceUserId')
}
