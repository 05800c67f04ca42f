/** People, operators and the documentation on hosts of their own: everything works, and no host gets at another one. */
import { expect, type BrowserContext, type Page } from '@playwright/test'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { enroll, makeOperator } from './operator.ts'
import { makeOwner } from './owner.ts'
import { addPasskey, addAuthenticator } from './passkeys.ts'
import { test, type Hosts } from './separate-hosts.ts'
import { newPerson, widgetIn, type Tools } from './setup.ts'
import { seesWallet, signUp } from './sign-in.ts'
import { startService } from './start-service.ts'
import { chooseAmount, payByCard } from './topup-page.ts'

type AdminHosts = Pick<Hosts, 'public' | 'admin'>

async function enterAdmin(page: Page, { admin, public: home }: AdminHosts, tools: Tools) {
  const operator = await makeOperator(tools, 'owner')
  await page.goto(`${home}/admin/sign-in`)
  await expect(page).toHaveURL(`${admin}/admin/sign-in`)
  await page.getByLabel('Email').fill(operator.email)
  await page.getByLabel('Password', { exact: true }).fill(operator.password)
  await page.getByRole('button', { name: 'Continue' }).click()
  await enroll(page)
  await page.getByLabel('I have saved the codes').check()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('button', { name: 'Log out', exact: true })).toBeVisible()
}

async function logOut(page: Page) {
  await page.getByRole('button', { name: 'Log out', exact: true }).click()
  await expect(page.getByText('You are logged out.')).toBeVisible()
}

async function enterAccount(page: Page, { account, public: home }: Hosts, tools: Tools) {
  const { email, password, firstName } = await makeOwner(tools)
  await page.goto(`${home}/account`)
  await expect(page).toHaveURL(`${account}/account`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await expect(page.getByRole('heading', { name: `Hello, ${firstName}` })).toBeVisible()
}

/** The names of the cookies that the browser has for each host. */
async function cookiesOf(context: BrowserContext) {
  const cookies = await context.cookies()
  return cookies.map(({ name, domain }) => `${domain} ${name}`).toSorted()
}

test('an operator logs in with a passkey, a person with a password, and each has the cookies of one host', async ({
  window,
  hosts,
  tools,
  browserContext,
}) => {
  const key = await addAuthenticator(window)
  await enterAdmin(window, hosts, tools)
  await addPasskey(window, 'Work laptop')
  expect(await key.count()).toBe(1)
  await logOut(window)
  await window.goto(`${hosts.public}/admin/operators?x=1`)
  await expect(window).toHaveURL(`${hosts.admin}/admin/operators?x=1`)
  await window.getByRole('button', { name: 'Log in with a passkey' }).click()
  await expect(window.getByRole('heading', { level: 1, name: 'Operators' })).toBeVisible()
  await enterAccount(window, hosts, tools)
  expect(await cookiesOf(browserContext)).toEqual([
    'account.coffer.localhost __Host-coffer',
    'account.coffer.localhost __Host-coffer-device',
    'admin.coffer.localhost __Host-coffer-admin',
    'admin.coffer.localhost __Host-coffer-admin-device',
  ])
})

test('passkeys of PUBLIC_URL work at ADMIN_URL if PASSKEY_RP_ID is the domain above it', async ({
  window,
  port,
  tools,
}) => {
  const home = `http://coffer.localhost:${port}`
  const admin = `http://admin.coffer.localhost:${port}`
  const settings = { PORT: `${port}`, PUBLIC_URL: home }
  await addAuthenticator(window)
  const earlier = await startService(settings)
  await enterAdmin(window, { public: home, admin: home }, tools)
  await addPasskey(window, 'Work laptop')
  await logOut(window)
  await earlier.kill('SIGKILL')

  const moved = { ...settings, ADMIN_URL: admin, PASSKEY_RP_ID: 'coffer.localhost' }
  const service = await startService(moved)
  await window.goto(`${home}/admin/operators`)
  await expect(window).toHaveURL(`${admin}/admin/operators`)
  await window.getByRole('button', { name: 'Log in with a passkey' }).click()
  await expect(window.getByRole('heading', { level: 1, name: 'Operators' })).toBeVisible()
  await service.kill('SIGKILL')
})

test('the code that operators give to client apps names PUBLIC_URL', async ({
  window,
  hosts,
  tools,
  makeShop,
}) => {
  const { app } = await makeShop({}, { serviceUrl: hosts.public })
  await enterAdmin(window, hosts, tools)
  await window.goto(`${hosts.admin}/admin/client-apps/${app.clientId}?tab=integration`)
  await expect(window.getByText(`COFFER_URL=${hosts.public}`)).toBeVisible()
  await expect(window.getByText(`serviceUrl: '${hosts.public}'`)).toBeVisible()
})

test('a person signs up in the widget, tops up, and opens the account from there', async ({
  window,
  hosts,
  makeShop,
  browserContext,
}) => {
  const shop = await makeShop({}, { serviceUrl: hosts.public })
  const person = newPerson()
  await window.goto(shop.origin)
  await signUp(widgetIn(window), person)
  await seesWallet(widgetIn(window), person)
  const opened = browserContext.waitForEvent('page')
  await widgetIn(window).getByRole('button', { name: 'Add money' }).click()
  const topup = await opened
  await chooseAmount(topup, '$25')
  await payByCard(topup, '4242424242424242')
  await expect(topup.getByText(/\$25\.00 added/)).toBeVisible({ timeout: 20_000 })
  await seesWallet(widgetIn(window), person, '$25.00')
  const accountOpened = browserContext.waitForEvent('page')
  await widgetIn(window)
    .getByRole('link', { name: /account/i })
    .click()
  await expect(await accountOpened).toHaveURL(`${hosts.account}/account`)
})

test('the documentation has a host of its own, and its links and its search stay there', async ({
  window,
  hosts,
}) => {
  await window.goto(`${hosts.public}/docs/integration`)
  await expect(window).toHaveURL(`${hosts.docs}/docs/integration`)
  await window.getByRole('searchbox').fill('insufficient_bal')
  await window
    .getByRole('search')
    .getByRole('link', { name: /^INSUFFICIENT_BALANCE/ })
    .first()
    .click()
  await expect(window).toHaveURL(`${hosts.docs}/docs/errors/INSUFFICIENT_BALANCE`)
})

test('a script on the host of the documentation cannot use the login of an operator', async ({
  window,
  hosts,
  tools,
}) => {
  await enterAdmin(window, hosts, tools)
  const url = `${hosts.admin}/api/admin/sign-in/operator`
  const call = (method: string, mode: RequestMode) =>
    window.evaluate(
      async ([address, verb, how]) => {
        try {
          const options = { method: verb, mode: how, credentials: 'include' } as const
          const response = await fetch(address, options)
          return `${response.type} ${response.status}`
        } catch {
          return 'refused'
        }
      },
      [url, method, mode] as const,
    )
  expect(await call('GET', 'cors')).toBe('basic 200')

  // A page without any policy of ours. Its host is part of the same site, so the browser sends the cookie.
  const attacker = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html')
    response.end('<h1>Attack</h1>')
  })
  await once(attacker.listen(0, '127.0.0.1'), 'listening')
  const { port } = attacker.address() as AddressInfo
  await window.goto(`http://${new URL(hosts.docs).hostname}:${port}/`)
  const from = hosts.log.length
  expect(await call('GET', 'cors')).toBe('refused')
  expect(await call('GET', 'no-cors')).toMatch(/^(opaque 0|refused)$/)
  expect(await call('POST', 'no-cors')).toMatch(/^(opaque 0|refused)$/)
  const responses = () =>
    hosts.log
      .slice(from)
      .flatMap((line) => /"status":(\d+)/.exec(line)?.[1] ?? [])
      .filter((status) => status !== '200')
  await expect.poll(responses).toEqual(['403', '403', '405'])
  const opened = await window.evaluate(async (address) => {
    const frame = document.createElement('iframe')
    frame.src = address
    document.body.append(frame)
    await new Promise((resolve) => frame.addEventListener('load', resolve))
    return frame.contentDocument === null ? 'no access' : frame.contentDocument.body.innerText
  }, `${hosts.admin}/admin`)
  expect(opened).toBe('no access')
  attacker.closeAllConnections()
  attacker.close()
})
