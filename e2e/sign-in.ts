/** The steps of a person in the sign-in of the widget and of /account. */
import { expect, type FrameLocator, type Page } from '@playwright/test'
import type { NewPerson } from './setup.ts'

export async function signUp(widget: FrameLocator | Page, person: NewPerson) {
  await widget.getByRole('button', { name: 'Create an account' }).click()
  await widget.getByLabel('First name').fill(person.firstName)
  await widget.getByLabel('Last name').fill(person.lastName)
  await widget.getByLabel('Email').fill(person.email)
  await widget.getByLabel('Password', { exact: true }).fill(person.password)
  await submit(widget, 'Create account')
}

export async function logIn(
  widget: FrameLocator,
  { email, password }: Pick<NewPerson, 'email' | 'password'>,
) {
  await widget.getByLabel('Email').fill(email)
  await widget.getByLabel('Password', { exact: true }).fill(password)
  await submit(widget, 'Log in')
}

/** With the keyboard: on a busy machine, Chromium can miss a click in a frame that has just been scrolled into view. */
async function submit(widget: FrameLocator | Page, name: string) {
  await widget.getByRole('button', { name, exact: true }).press('Enter')
}

export async function agree(widget: FrameLocator) {
  await widget.getByRole('button', { name: 'Agree' }).click()
}

export async function seesWallet(widget: FrameLocator, person: NewPerson, balance = '$0.00') {
  await expect(widget.getByText(`Hello, ${person.firstName}`)).toBeVisible()
  await expect(widget.getByText(balance, { exact: true }).first()).toBeVisible()
}
