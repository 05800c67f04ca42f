/** Reads what operators see, and compares it with the model. */
import * as audit from '@coffer/contract/admin/audit'
import { readClientApp } from '@coffer/contract/admin/client-apps'
import { listGrants } from '@coffer/contract/admin/grants'
import { listOperators } from '@coffer/contract/admin/operators'
import { readPerson, readPersonHistory } from '@coffer/contract/admin/people'
import { readSwitches } from '@coffer/contract/admin/switches'
import { listWebhooks } from '@coffer/contract/admin/webhooks'
import type { Endpoint } from '@coffer/contract/endpoint'
import assert from 'node:assert/strict'
import type { z } from 'zod'
import { ask } from '../../server/test/account-setup.ts'
import type { Fields } from '../../server/test/setup.ts'
import { assertLike } from './compare.ts'
import { at, isLoggedIn, record, type AuditEntry } from './model.ts'
import type { Run } from './run.ts'
import * as views from './views.ts'

/** An operator who is not logged in sees nothing. */
export async function look(run: Run, who: number) {
  await run.makeReady(who)
  if (!isLoggedIn(run.state, at(run.state.operators, who))) return
  run.note(`${who} looks`)
  await lookAtGrants(run, who)
  await lookAtPeople(run, who)
  await lookAtApps(run, who)
  const { operators } = await read(run, who, listOperators)
  assertLike(operators, views.viewOperators(run.state), 'operators', { parts: true })
  const { pause } = await read(run, who, readSwitches)
  assertLike(pause, views.viewPause(run.state.pause), 'pause')
}

async function read<Read extends Endpoint>(
  run: Run,
  who: number,
  endpoint: Read,
  fields: Fields = {},
): Promise<z.output<Read['response']>> {
  const person = { cookie: at(run.browsers, who).cookie }
  const response = await ask({ harness: run.harness, person }, endpoint, fields)
  assert.equal(response.statusCode, 200, `${endpoint.path}: ${response.body}`)
  const { logIn } = at(run.state.operators, who)
  if (logIn !== null) logIn.seenMs = run.state.nowMs
  return response.json<z.output<Read['response']>>()
}

/** The list is in the order of the proposals; those of one command can have any order. */
async function lookAtGrants(run: Run, who: number) {
  const { state } = run
  const actual = await read(run, who, listGrants)
  const stepOf = new Map(state.grants.map(({ id, step }) => [id, step]))
  const order = actual.grants.map(({ id }) => id)
  const steps = order.map((id) => stepOf.get(id) ?? -1)
  assert.deepEqual(
    steps,
    steps.toSorted((one, other) => other - one),
    'grants: newest first',
  )
  const { grants, ...expected } = views.viewGrants(state, who)
  const sorted = grants.toSorted((one, other) => order.indexOf(one.id) - order.indexOf(other.id))
  assertLike(actual, { ...expected, grants: sorted }, 'grants')
  const people = views.countNamed(state)
  if (people > 0) record(state, who, 'person.list', null, { after: { people } })
}

async function lookAtPeople(run: Run, who: number) {
  for (const [index, { id }] of run.state.people.entries()) {
    const person = await read(run, who, readPerson, { id })
    assertLike(person, views.viewPerson(run.state, index), `person ${index}`, { parts: true })
    record(run.state, who, 'person.read', `person/${id}`)
    const { transactions } = await read(run, who, readPersonHistory, { id })
    const history = views.viewHistory(run.state, index)
    assertLike(transactions, history, `history of ${index}`, { parts: true })
    record(run.state, who, 'person.read_history', `person/${id}`)
  }
}

async function lookAtApps(run: Run, who: number) {
  for (const [index, { clientId }] of run.state.apps.entries()) {
    const app = await read(run, who, readClientApp, { clientId })
    assertLike(app, views.viewApp(run.state, index), `app ${index}`, { parts: true })
    const { webhooks } = await read(run, who, listWebhooks, { clientId })
    assertLike(webhooks, views.viewWebhooks(run.state, index), `webhooks ${index}`, { parts: true })
  }
}

type Seen = z.output<typeof audit.readAudit.response>['entries'][number]

/** The audit log has one entry for each change and each read of personal data, in their order, and no other. */
export async function compareAudit(run: Run, who: number) {
  const seen: Seen[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: z.output<typeof audit.readAudit.response> = await read(run, who, audit.readAudit, {
      ...(cursor !== '' && { cursor }),
    })
    const own = page.entries.filter(({ id }) => BigInt(id) > BigInt(run.afterAudit))
    seen.push(...own)
    cursor = own.length < page.entries.length ? null : page.nextCursor
  }
  const actual = seen.toReversed().map(({ actor, action, subject, ...each }) => ({
    key: `${actor} ${action} ${subject}`,
    ...each,
  }))
  const expected = run.state.audit.map(({ actor, action, subject, ...each }) => ({
    key: `${actor} ${action} ${subject}`,
    ...each,
  }))
  sortRaces(run, expected, actual)
  assert.deepEqual(
    actual.map(({ key }) => key),
    expected.map(({ key }) => key),
    'the audit log',
  )
  for (const [index, { key, step, before, after }] of expected.entries()) {
    const entry = at(actual, index)
    const isService = key.startsWith('service ')
    assert.equal(entry.address, isService ? null : '127.0.0.1', key)
    if (run.races.has(step)) continue
    compareFacts(entry.before, before, `${key}: before`)
    compareFacts(entry.after, after, `${key}: after`)
  }
}

function compareFacts(actual: string | null, expected: AuditEntry['before'], what: string) {
  if (expected === undefined) return
  assertLike(actual === null ? null : JSON.parse(actual), expected, what, { parts: true })
}

/** Two calls at the same time can write their entries in any order. */
function sortRaces(run: Run, expected: { key: string; step: number }[], actual: { key: string }[]) {
  for (const step of run.races) {
    const from = expected.findIndex((each) => each.step === step)
    if (from < 0) continue
    const count = expected.filter((each) => each.step === step).length
    for (const entries of [expected, actual]) {
      const part = entries.slice(from, from + count)
      const sorted = part.toSorted((one, other) => (one.key < other.key ? -1 : 1))
      entries.splice(from, count, ...(sorted as typeof part & never[]))
    }
  }
}
