/** Plays the commands of a plan on the service and on the model. */
import * as accountApi from '@coffer/contract/account/account'
import type { Endpoint } from '@coffer/contract/endpoint'
import type { ErrorCode } from '@coffer/contract/errors'
import * as widgetApi from '@coffer/contract/widget/widget'
import assert from 'node:assert/strict'
import { erasePerson } from '../../server/admin/people/erase-person.ts'
import { runMaintenance } from '../../server/run-maintenance.ts'
import { ServiceError } from '../../server/service-error.ts'
import type { Calls } from './calls.ts'
import { askAsApp, useNewLink } from './as-app.ts'
import { changeAccount, changeWithPassword } from './at-account.ts'
import type { Command } from './commands.ts'
import { SLACK_MS } from './match.ts'
import { PASSWORDS, type Run } from './run.ts'
import { linkAgain, forgot, logIn, signUp, use } from './sign-in.ts'
import type { Browser, Person } from './state.ts'

const NOT_FOLLOWED = { isForeign: false, isFollowed: false, isStranger: false } as const

/** Logs both people in, each in a browser. */
export async function logInBoth(run: Run) {
  const form = {
    ...NOT_FOLLOWED,
    isUpperCase: false,
    passwordChoice: 'own',
    app: 0,
    challenge: 0,
  } as const
  for (const index of [0, 1]) {
    await logIn(run, { do: 'logIn', isAtAccount: true, browser: index, email: index, ...form })
  }
}

export async function play(run: Run, command: Command) {
  if (run.plan.without.includes(command.do)) return
  const { tickets, linkCodes } = run.model
  const before = { tickets: tickets.length, linkCodes: linkCodes.length }
  const person = 'returnsTo' in command ? run.personIn(run.visitorAt(command)) : undefined
  await execute(run, command)
  if (person && 'returnsTo' in command && command.returnsTo !== null)
    await linkAgain(run, run.appAt(command.returnsTo), person)
  if (!('isFollowed' in command && command.isFollowed)) return
  if (tickets.length > before.tickets) await useNewest(run, command)
  const code = linkCodes.at(-1)
  if (code && linkCodes.length > before.linkCodes) await useNewLink(run, code)
}

function useNewest(run: Run, { browser, isStranger }: { browser: number; isStranger: boolean }) {
  const pick = { back: 0, prefers: 'any' } as const
  const how = { code: 'right', passwordChoice: 'old', isForeign: false, step: null } as const
  return use(run, { do: 'use', of: 'ticket', pick, browser, isStranger, ...how })
}

async function execute(run: Run, command: Command): Promise<void> {
  switch (command.do) {
    case 'signUp':
      return signUp(run, command)
    case 'logIn':
      return logIn(run, command)
    case 'guess':
      for (let time = 0; time < command.times; time++) {
        await logIn(run, { ...command, ...NOT_FOLLOWED, do: 'logIn' })
      }
      return
    case 'forgot':
      return forgot(run, command)
    case 'use':
      return use(run, command)
    case 'exchange':
    case 'open':
    case 'show':
    case 'creditAndDebit':
      return askAsApp(run, command)
    case 'account':
    case 'logOut':
    case 'unlinkAll':
    case 'unlink':
    case 'rename':
    case 'endLogIn':
      return changeAccount(run, command)
    case 'changePassword':
    case 'changeEmail':
    case 'delete':
      return changeWithPassword(run, command)
    case 'pass':
      return run.calls.advanceMs(1000 * command.seconds)
    case 'passTo':
      return passTo(run, command)
    case 'maintain':
      return maintain(run)
    case 'erase':
      return erase(run, run.model.people[command.person])
    case 'malformed':
      return sendMalformed(run, run.browserAt(command.browser), command.which)
  }
}

function passTo({ model, calls }: Run, { boundary, isAfter }: Command & { do: 'passTo' }) {
  const nowMs = Date.now()
  const farther = [...model.boundaries()].filter((each) => each > nowMs + 2 * SLACK_MS)
  const sorted = farther.toSorted((a, b) => a - b)
  const atMs = sorted[Math.min(boundary, sorted.length - 1)]
  if (atMs !== undefined) calls.advanceMs(atMs - nowMs + (isAfter ? SLACK_MS : -1.5 * SLACK_MS))
}

async function maintain({ model, calls }: Run) {
  calls.avoidBoundaries()
  model.attempts.prune(model.nowMs)
  await runMaintenance(calls.harness.context)
  calls.hit('maintain')
}

/** Like an operator. */
async function erase(run: Run, person: Person | undefined) {
  if (person === undefined || person.isErased) return
  const { model, calls, ids } = run
  calls.avoidBoundaries()
  const id = ids.get(person) ?? (await findId(run, person))
  const { code } = model.erase(person)
  const record = () => Promise.resolve()
  const input = { id: String(id), reason: 'The person asked for it.' }
  const refused = await erasePerson(calls.harness.context, { record }, input).catch(codeOf)
  assert.equal(refused, code, 'erase')
  calls.hit(`erase → ${code ?? 'done'}`)
  calls.note(`erase person ${person.index} → ${code ?? 'done'}`)
}

async function findId({ calls }: Run, { email }: Person): Promise<bigint> {
  const { rows } = await calls.harness.admin.query<{ id: string }>(
    'select service_user_id as id from directory.people where lower(email) = lower($1)',
    [email],
  )
  return BigInt(rows[0]?.id ?? assert.fail())
}

function codeOf(error: unknown): ErrorCode {
  if (error instanceof ServiceError) return error.code
  throw error
}

async function sendMalformed({ calls, emails }: Run, browser: Browser, which: number) {
  if (which === 0) return showNothing(calls)
  const clientId = `app_${'0'.repeat(24)}`
  const form = { email: emails[0], password: PASSWORDS[0] }
  const all: [Endpoint, Record<string, unknown>, string][] = [
    [widgetApi.logIn, { ...form, clientId }, 'clientId'],
    [widgetApi.agree, { ticket: 'a b' }, 'ticket'],
    [accountApi.logInToAccount, { ...form, email: 'nobody' }, 'email'],
    [widgetApi.verifyEmail, { ticket: 'x', code: '12345' }, 'code'],
  ]
  const [endpoint, fields, field] = all[which - 1] as (typeof all)[number]
  const expect = () => ({ code: 'INVALID_REQUEST' as const, field })
  await calls.ask({ what: 'malformed', endpoint, fields, expect }, { browser })
}

function showNothing(calls: Calls) {
  const expect = () => ({ code: 'INVALID_SESSION' as const })
  const fields = { session: 'ws_nonsense' }
  return calls.serve(undefined, {
    what: 'widget',
    endpoint: widgetApi.readWidgetWallet,
    fields,
    expect,
  })
}
