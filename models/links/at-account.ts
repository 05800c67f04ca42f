/** Plays what people do at /account with their login. */
import * as accountApi from '@coffer/contract/account/account'
import type { Endpoint } from '@coffer/contract/endpoint'
import type { Call } from './calls.ts'
import type { Command } from './commands.ts'
import { Time, type Arrange } from './match.ts'
import { LOG_IN_MS } from './model.ts'
import type { Run } from './run.ts'
import type { Answer, Browser, LogIn } from './state.ts'

const PLAIN = ['account', 'logOut', 'unlinkAll', 'unlink', 'rename', 'endLogIn'] as const
const CONFIRMED = ['changePassword', 'changeEmail', 'delete'] as const
type Plain = Command & { do: (typeof PLAIN)[number] }
type Confirmed = Command & { do: (typeof CONFIRMED)[number] }

export async function changeAccount(run: Run, command: Plain) {
  const { model } = run
  const browser = run.visitorAt(command)
  const isForeign = 'isForeign' in command && command.isForeign
  const ask = async (endpoint: Endpoint, fields: Call['fields'], expect: () => Answer) => {
    await run.calls.ask({ what: command.do, endpoint, fields, expect }, { browser, isForeign })
  }
  switch (command.do) {
    case 'account':
      return readAccount(run, browser, isForeign)
    case 'logOut':
      return ask(accountApi.logOut, {}, () => model.logOut(browser))
    case 'unlinkAll':
      return ask(accountApi.unlinkAllApps, {}, () => model.unlinkAll(browser))
    case 'unlink': {
      const app = run.appAt(command.app)
      const { clientId } = run.calls.testApp(app)
      return ask(accountApi.unlinkApp, { clientId }, () => model.unlink(browser, app))
    }
    case 'rename': {
      const { firstName } = command
      const fields = { firstName, lastName: 'Example' }
      return ask(accountApi.changeProfile, fields, () => model.rename(browser, firstName))
    }
    case 'endLogIn': {
      const other = run.pick(command.pick, model.logIns, (each) => model.isLoggedIn(each))
      if (!other) return
      const isOwn = other.person === run.personIn(browser)
      run.calls.hit(`endLogIn of ${isOwn ? 'a login of the person' : 'somebody else'}`)
      await ask(accountApi.endLogIn, { id: other.id.value }, () => model.endLogIn(browser, other))
      return readAs(run, other)
    }
  }
}

export async function changeWithPassword(run: Run, command: Confirmed) {
  const { model } = run
  const browser = run.visitorAt(command)
  const person = browser.logIn?.person
  const password = run.passwordOf(command.passwordChoice, person)
  const ask = async (endpoint: Endpoint, fields: Call['fields'], expect: () => Answer) => {
    const made = { what: command.do, endpoint, fields: { password, ...fields }, expect }
    await run.calls.ask(made, { browser })
  }
  switch (command.do) {
    case 'changePassword': {
      const newPassword = run.passwordOf(command.newPasswordChoice, person)
      const expect = () => model.changePassword(browser, password, newPassword)
      return ask(accountApi.changePassword, { newPassword }, expect)
    }
    case 'changeEmail': {
      const email = run.emailAt(command)
      const expect = () => model.changeEmail(browser, password, email)
      return ask(accountApi.changeEmail, { email }, expect)
    }
    case 'delete':
      return ask(accountApi.deleteAccount, {}, () => model.delete(browser, password))
  }
}

/** With a browser that has nothing but the cookie of this login. */
export async function readAs(run: Run, logIn: LogIn) {
  const { device } = logIn
  const browser = { device, network: '10.255.255.255', logIn, known: undefined }
  run.calls.jarOf(browser).set('__Host-coffer', logIn.token.value as string)
  await readAccount(run, browser)
}

/** Reads the page of the person and compares what it lists. */
export async function readAccount(run: Run, browser: Browser, isForeign = false) {
  const expect = () => {
    const { code, body } = run.model.readAccount(browser)
    return code ? { code } : { body: { ...body, ...listsOf(run, browser.logIn as LogIn) } }
  }
  const made = { what: 'account', endpoint: accountApi.readAccount, fields: {}, expect }
  await run.calls.ask(made, { browser, isForeign, arrange: arrangeFor(run) })
}

function listsOf({ model, calls }: Run, current: LogIn) {
  const { person } = current
  const links = model.links.filter((each) => each.person === person && !each.endedBy)
  const logIns = model.logIns.filter((each) => each.person === person && model.isLoggedIn(each))
  return {
    apps: links
      .toSorted((a, b) => a.app.index - b.app.index)
      .map(({ app, createdMs }) => ({
        clientId: calls.testApp(app).clientId,
        name: `Shop ${app.index}`,
        linkedAt: new Time(createdMs),
        limit: null,
      })),
    logIns: logIns.map(({ id, device, lastSeenMs, expiresMs }) => ({
      id,
      isThis: id === current.id,
      device,
      createdAt: new Time(expiresMs - LOG_IN_MS),
      lastSeenAt: new Time(lastSeenMs),
    })),
  }
}

/** The order of the lists is not promised. */
function arrangeFor({ model, calls }: Run): Arrange {
  const apps = calls.apps.map(({ clientId }) => clientId)
  const logIns = model.logIns.map(({ id }) => id.value)
  // A login that was just started has no known id, and is the last one.
  const placeOf = (id: string) => (logIns.includes(id) ? logIns.indexOf(id) : logIns.length)
  return ({ firstName, lastName, email, ...lists }) => {
    const given = lists as { apps: { clientId: string }[]; logIns: { id: string }[] }
    const placeOfApp = ({ clientId }: { clientId: string }) => apps.indexOf(clientId)
    return {
      firstName,
      lastName,
      email,
      apps: given.apps.toSorted((a, b) => placeOfApp(a) - placeOfApp(b)),
      logIns: given.logIns.toSorted((a, b) => placeOf(a.id) - placeOf(b.id)),
    }
  }
}
