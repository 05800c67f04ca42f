import { expect } from '@playwright/test'
import { makeClientApp } from '../server/test/factories.ts'
import { enterAdmin } from './operator.ts'
import { test } from './setup.ts'

test('an operator sets and removes the alert about debits', async ({ window, tools }) => {
  const { clientId } = await makeClientApp(tools, { name: 'Tea House' })
  await enterAdmin(window, tools, 'operator', `/client-apps/${clientId}`)
  const amount = window.getByLabel(/^Debits in one hour in/)
  const save = window.getByRole('button', { name: 'Set alert' })
  await amount.fill('x')
  await save.click()
  await expect(window.getByText('Enter an amount like')).toBeVisible()
  await amount.fill('2500')
  await window.getByLabel('Also pause the app').check()
  await save.click()
  await expect(window.getByText('The alert is set.')).toBeVisible()
  await window.reload()
  await expect(amount).toHaveValue('2500')
  await expect(window.getByLabel('Also pause the app')).toBeChecked()
  await amount.fill('')
  await save.click()
  await expect(window.getByText('There is no alert now.')).toBeVisible()
})
