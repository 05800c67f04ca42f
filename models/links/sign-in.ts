/** Plays sign-up, login, the tickets of their steps and the links in emails. */
import * as accountApi from '@coffer/contract/account/account'
import { secureAccount } from '@coffer/contract/account/safety'
import { signUpAtAccount, verifySignUp } from '@coffer/contract/account/sign-up'
import type { Endpoint } from '@coffer/contract/endpoint'
import * as widgetApi from '@coffer/contract/widget/widget'
import { readAccount } from './at-account.ts'
import type { By, Call } from './calls.ts'
import type { Command, Step } from './commands.ts'
import type { SignUpForm } from './model.ts'
import type { Proof, Run } from './run.ts'
import type { Answer, App, Browser, MailLink, Person, Ticket, TicketKind } from './state.ts'

/** The step for which a ticket is issued. */
const RIGHT_STEPS: Record<TicketKind | MailLink['kind'], Step> = {
  signUp: 'verifyEmail',
  signUpAtAccount: 'verifySignUp',
  verify: 'verifyEmail',
  newEmail: 'verifyNewEmail',
  consent: 'agree',
  reset: 'reset',
  undo: 'undo',
  warning: 'secure',
}

const STEP_ENDPOINTS: Record<Step, Endpoint> = {
  agree: widgetApi.agree,
  verifyEmail: widgetApi.verifyEmail,
  verifySignUp,
  verifyNewEmail: accountApi.verifyNewEmail,
  reset: accountApi.resetAccountPassword,
  undo: accountApi.undoEmailChange,
  secure: secureAccount,
}

function formOf(run: Run, command: Command & { do: 'signUp' | 'logIn' }): SignUpForm {
  const email = run.emailAt(command)
  const password = run.passwordOf(command.passwordChoice, run.model.personOf(email))
  return { email, password, challenge: run.proofs[command.challenge - 1]?.challenge }
}

/** A call that may start a login, whose id is then read. */
async function enter(run: Run, made: Call, by: By) {
  const answer = await run.calls.ask(made, by)
  if (answer.logIn) await readAccount(run, by.browser)
}

export async function signUp(run: Run, command: Command & { do: 'signUp' }) {
  const { isAtAccount, isForeign } = command
  const browser = run.browserAt(command.browser)
  const app = isAtAccount ? undefined : run.appAt(command.app)
  const form = formOf(run, command)
  const names = { firstName: 'Ada', lastName: 'Example' }
  const fields = { ...names, ...form, ...(app && { clientId: run.calls.testApp(app).clientId }) }
  const expect = () => run.model.signUp(browser, app, form)
  const what = app ? 'sign-up in the widget' : 'sign-up at /account'
  const endpoint: Endpoint = app ? widgetApi.signUp : signUpAtAccount
  await run.calls.ask({ what, endpoint, fields, expect }, { browser, isForeign })
}

export async function logIn(run: Run, command: Command & { do: 'logIn' }) {
  const { model, calls } = run
  const browser = run.browserAt(command.browser)
  const by = { browser, isForeign: command.isForeign }
  const form = formOf(run, command)
  const { email, password } = form
  if (command.isAtAccount) {
    const expect = () => {
      const others = model.attempts.isAnybodyWaiting(model.nowMs, 'log-in', email)
      const answer = model.logInToAccount(browser, email, password)
      if (answer.logIn && others) calls.hit('a login while somebody else waits')
      return answer
    }
    const fields = { email, password }
    const what = 'login at /account'
    await enter(run, { what, endpoint: accountApi.logInToAccount, fields, expect }, by)
  } else {
    await logInToWidget(run, run.appAt(command.app), form, by)
  }
}

export async function logInToWidget(run: Run, app: App, form: SignUpForm, by: By) {
  const { model, calls } = run
  const fields = { ...form, clientId: calls.testApp(app).clientId }
  const person = model.personOf(form.email)
  const link = person && model.linkOf(app, person)
  const expect = () => model.logInToWidget(by.browser, app, form)
  const made = { what: 'login in the widget', endpoint: widgetApi.logIn, fields, expect }
  const { body } = await calls.ask(made, by)
  const isRenewed = link && link.created < person.passwordChanged
  if (isRenewed && body?.['step'] === 'linked') calls.hit('a login after a renewed consent')
}

/** The person who was here links the app again: logs in to its widget, and does what it asks for. */
export async function linkAgain(run: Run, app: App, person: Person) {
  const { tickets, browsers } = run.model
  const { email, password } = person
  if (person.isErased || password === null) return
  const by = { browser: browsers[0] as Browser }
  const before = tickets.length
  const { challenge } = run.proofs[0] as Proof
  await logInToWidget(run, app, { email, password, challenge }, by)
  const ticket = tickets[before]
  if (!ticket) return
  const code = ticket.code?.value ?? '000000'
  await useTicket(run, ticket, { step: null, password, code }, by)
}

export async function forgot(run: Run, command: Command & { do: 'forgot' }) {
  const { model, calls } = run
  const browser = run.browserAt(command.browser)
  const email = run.emailAt(command)
  const app = command.app === null ? undefined : run.appAt(command.app)
  const fields = { email, ...(app && { clientId: calls.testApp(app).clientId }) }
  const endpoint: Endpoint = app ? widgetApi.forgotPassword : accountApi.forgotAccountPassword
  const expect = () => model.forgot(email, app !== undefined)
  for (let time = 0; time < command.times; time++) {
    await calls.ask({ what: 'forgotten password', endpoint, fields, expect }, { browser })
  }
}

export async function use(run: Run, command: Command & { do: 'use' }) {
  const { model } = run
  const { of, pick, step, code: which, isForeign } = command
  const all: (Ticket | MailLink)[] =
    of === 'ticket' ? model.tickets : model.mailLinks.filter(({ kind }) => kind === of)
  const picked = run.pick(pick, all, (each) => model.isLive(each))
  if (picked === undefined) return
  const given = run.browserAt(command.browser)
  const { isStranger } = command
  const browser = step === null ? browserFor(run, picked, given, isStranger) : given
  const password = run.passwordOf(command.passwordChoice, picked.person)
  const code = codeOf(run, picked, which)
  await useTicket(run, picked, { step, password, code }, { browser, isForeign })
}

/** Only who is logged in can finish a change of the address, and only the own one. */
export function browserFor(
  run: Run,
  { kind, person }: Ticket | MailLink,
  other: Browser,
  isStranger = false,
): Browser {
  if (kind !== 'newEmail') return other
  const fits = (each: Person | undefined) => each !== undefined && (each !== person) === isStranger
  return run.model.browsers.find((each) => fits(run.personIn(each))) ?? other
}

function codeOf({ model }: Run, picked: Ticket | MailLink, which: 'right' | 'wrong' | 'other') {
  const right = ('code' in picked && picked.code?.value) || '000000'
  const others = model.tickets.filter((each) => each !== picked && each.code)
  if (which === 'other') return others.at(-1)?.code?.value ?? right
  return which === 'right' ? right : String((Number(right) + 1) % 1_000_000).padStart(6, '0')
}

/** `step`: null: the one that it was issued for. */
export async function useTicket(
  run: Run,
  picked: Ticket | MailLink,
  given: { step: Step | null; password: string; code: string },
  by: By,
) {
  const right = RIGHT_STEPS[picked.kind]
  const { password, code } = given
  const step = given.step ?? right
  run.calls.hit(`${step === right ? picked.kind : 'a ticket elsewhere'}: ${run.stateOf(picked)}`)
  const fields = { ticket: picked.token.value, password, code }
  const expect = () => expectStep(run, step, picked, { browser: by.browser, password, code })
  await enter(run, { what: step, endpoint: STEP_ENDPOINTS[step], fields, expect }, by)
}

function expectStep(
  { model }: Run,
  step: Step,
  picked: Ticket | MailLink,
  { browser, password, code }: { browser: Browser; password: string; code: string },
): Answer {
  const [ticket, mailLink] = 'tries' in picked ? [picked, undefined] : [undefined, picked]
  switch (step) {
    case 'agree':
      return model.agree(ticket)
    case 'verifyEmail':
      return model.verifyEmail(ticket, code)
    case 'verifySignUp':
      return model.verifySignUp(browser, ticket, code)
    case 'verifyNewEmail':
      return model.verifyNewEmail(browser, ticket, code)
    case 'reset':
      return model.reset(browser, ticket, password)
    case 'undo':
      return model.undo(browser, mailLink, password)
    case 'secure':
      return model.secure(mailLink)
  }
}
