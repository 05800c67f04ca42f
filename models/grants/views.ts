/** What operators must see. A regular expression stands for a text that the model does not know exactly. */
import { leftFor } from './decide.ts'
import { liveSecrets } from './apps.ts'
import {
  approversFor,
  areRelated,
  at,
  controllersOf,
  emailOf,
  mayGrant,
  operatorAt,
  toWire,
  type AppChange,
  type Grant,
  type Pause,
  type State,
} from './model.ts'

const TIME = /^\d{4}-\d\d-\d\dT/

/** Newest first; the driver knows the order of those that one command proposed. */
export function viewGrants(state: State, viewer: number) {
  const grants = state.grants.toReversed().map((grant) => viewGrant(state, viewer, grant))
  return { grants, left: toWire(Math.max(0, leftFor(state, viewer))), nextCursor: null }
}

function viewGrant(state: State, viewer: number, grant: Grant) {
  const { id, kind, amount, reason, status, proposer, second, declinedBecause } = grant
  return {
    id,
    kind,
    amount: amount === null ? null : toWire(amount),
    currency: 'USD',
    reason,
    status,
    person: viewOwner(state, grant),
    clientApp: viewSubject(state, grant),
    changes: grant.change === null ? [] : describeChange(grant.change),
    proposedBy: emailOf(state, proposer),
    proposedAt: TIME,
    secondOperator: second === null ? null : emailOf(state, second),
    decidedAt: grant.decidedMs === null ? null : TIME,
    declinedBecause,
    refusal: status === 'refused' ? grant.executed?.refusal : null,
    ...viewHindrance(state, viewer, grant),
  }
}

function viewOwner(state: State, { person }: Grant) {
  if (person === null) return null
  const { id, isErased } = at(state.people, person)
  return isErased ? { id, name: null, email: null } : { id, name: 'Ada Example', email: /@/ }
}

function viewSubject(state: State, { app, kind, creditLimit }: Grant) {
  if (app === null) return null
  const { clientId, settings } = at(state.apps, app)
  const isNumber = kind === 'credit_limit' && creditLimit !== null
  return { clientId, name: settings.name, creditLimit: isNumber ? toWire(creditLimit) : null }
}

function describeChange(change: AppChange): string[] {
  const { allowedIframeParents = [], allowedOrigins = [], scopes = [], contactEmails } = change
  const { rotation, webhookUrl } = change
  return [
    ...allowedIframeParents.map((origin) => `New iframe parent: ${origin}`),
    ...allowedOrigins.map((origin) => `New origin: ${origin}`),
    ...scopes.map((scope) => `New scope: ${scope}`),
    ...(contactEmails ? [`New contacts: ${contactEmails.join(', ') || 'none'}`] : []),
    ...(rotation ? ['A new secret, which the operator who proposed it sees.'] : []),
    ...(webhookUrl ? [`Events are sent to a new URL: ${webhookUrl}`] : []),
  ]
}

/** Why the viewer cannot approve it. */
function viewHindrance(state: State, viewer: number, { status, proposer, person }: Grant) {
  if (status !== 'open') return { approvalBlockedBy: null, sharedWith: null, approvers: [] }
  const approvers = approversFor(state, proposer)
  const because = (approvalBlockedBy: string | null) => ({
    approvalBlockedBy,
    sharedWith: null,
    approvers,
  })
  if (viewer === proposer) return because('own')
  if (!mayGrant(operatorAt(state, viewer))) return because('role')
  if (areRelated(state, viewer, proposer)) {
    const emails = controllersOf(state, viewer, proposer).map((each) => emailOf(state, each))
    return { ...because('related'), sharedWith: new RegExp(`^(${emails.join('|')})$`) }
  }
  if (!mayGrant(operatorAt(state, proposer))) return because('proposer_inactive')
  const isGone = person !== null && at(state.people, person).isErased
  return because(isGone ? 'person_gone' : null)
}

/** How many names of people the list of grants shows: reading them is recorded. */
export function countNamed(state: State): number {
  const named = state.grants.flatMap(({ person }) => (person === null ? [] : [person]))
  return [...new Set(named)].filter((person) => !at(state.people, person).isErased).length
}

export function viewOperators(state: State) {
  return state.operators.map(({ id, email, role, isActive, hasAuthenticator, createdBy }) => ({
    id,
    email,
    role,
    isActive,
    hasAuthenticator,
    createdBy: createdBy === null ? null : emailOf(state, createdBy),
  }))
}

export function viewPerson(state: State, index: number) {
  const { balance, held, isFrozen, isErased, history } = at(state.people, index)
  // A hold whose time is over is not open, even if its end is not booked yet.
  const holds = state.holds.filter(
    (hold) => hold.person === index && hold.state === 'open' && hold.expiresMs > state.nowMs,
  )
  return {
    email: isErased ? null : /@/,
    balance: toWire(balance),
    held: toWire(held),
    debt: 0,
    isActive: !isFrozen,
    entries: history.length,
    holds: holds.map(({ id, amount }) => ({ id, held: toWire(amount) })).toReversed(),
  }
}

export function viewHistory(state: State, index: number) {
  const { history } = at(state.people, index)
  return history.toReversed().map(({ kind, amount, grant: grantAt }) => {
    const grant = grantAt === null ? null : at(state.grants, grantAt)
    const second = grant?.second ?? null
    return {
      kind,
      amount: toWire(Math.abs(amount)),
      type: amount < 0 ? 'debit' : 'credit',
      grant: grant && {
        reason: grant.reason,
        proposedBy: emailOf(state, grant.proposer),
        secondOperator: second === null ? null : emailOf(state, second),
        charge: null,
      },
    }
  })
}

export function viewPause(pause: Pause | null) {
  return pause && { at: TIME, ...pause }
}

export function viewApp(state: State, index: number) {
  const app = at(state.apps, index)
  const { clientId, settings, isActive, isInUse, pause, creditLimit } = app
  const waiting = state.grants.findLast(
    ({ kind, app: of, status }) => kind === 'credit_limit' && of === index && status === 'open',
  )
  return {
    clientId,
    ...settings,
    isActive,
    isInUse,
    pause: viewPause(pause),
    creditLimit: creditLimit === null ? null : toWire(creditLimit),
    waitingLimit: waiting
      ? {
          grantId: waiting.id,
          creditLimit: waiting.creditLimit === null ? null : toWire(waiting.creditLimit),
          proposedBy: emailOf(state, waiting.proposer),
        }
      : null,
    secrets: liveSecrets(state, app).map(({ endsMs }) => ({
      expiresAt: endsMs === null ? null : TIME,
    })),
  }
}

export function viewWebhooks(state: State, index: number) {
  return at(state.apps, index).webhooks.map(({ id, url, isEnabled }) => ({
    id,
    url,
    disabled: isEnabled ? null : { at: TIME, reason: 'switched_off' },
  }))
}
