/** Plans 90 days of payments for the demo. Pure and without real randomness: every start of the demo looks the same. */
import type { Kind } from '../server/ledger/types.ts'

export const DAY_MS = 24 * 60 * 60 * 1000
export const HISTORY_DAYS = 90

export interface DemoApp {
  name: string
  products: readonly (readonly [name: string, priceMinor: number])[]
}

export const DEMO_APPS: readonly DemoApp[] = [
  {
    name: 'Bean & Leaf',
    products: [
      ['Espresso', 280],
      ['Flat white', 360],
      ['House blend, 250 g', 11_50],
      ['Croissant', 310],
    ],
  },
  {
    name: 'Corner Books',
    products: [
      ['Paperback', 12_90],
      ['Magazine', 650],
      ['Notebook', 890],
    ],
  },
  {
    name: 'City Bikes',
    products: [
      ['Ride, 20 minutes', 200],
      ['Ride, 45 minutes', 450],
      ['Day pass', 900],
    ],
  },
]

export interface DemoPerson {
  firstName: string
  lastName: string
  email: string
  /** The day of the first payment, counted from the start of the history. */
  joinedDay: number
  /** Indexes of DEMO_APPS. */
  apps: readonly number[]
}

export const DEMO_PEOPLE: readonly DemoPerson[] = [
  person('Ada', 'Green', 0, [0, 1]),
  person('Noor', 'Haddad', 1, [0, 2]),
  person('Luis', 'Ortega', 6, [1]),
  person('Mei', 'Tanaka', 14, [0, 1, 2]),
  person('Jonas', 'Weber', 25, [2]),
  person('Priya', 'Nair', 38, [0, 2]),
  person('Sofia', 'Rossi', 52, [0, 1]),
  person('Tom', 'Baker', 70, [0]),
]

function person(firstName: string, lastName: string, joinedDay: number, apps: number[]) {
  const email = `${firstName.toLowerCase()}@example.com`
  return { firstName, lastName, email, joinedDay, apps }
}

export interface PastPayment {
  atMs: number
  kind: Extract<Kind, 'debit' | 'credit' | 'topup'>
  /** Indexes of DEMO_PEOPLE and DEMO_APPS. A top-up belongs to the app in which it was started. */
  person: number
  app: number
  amountMinor: number
  description: string | null
}

/** A wallet below this amount is topped up before the next payment. */
const LOW_MINOR = 15_00
const TOPUPS_MINOR = [20_00, 30_00, 50_00]

/** In the order of time. Everybody can pay for what they buy. */
export function planHistory(nowMs: number): PastPayment[] {
  const times = planTimes(nowMs)
  return DEMO_PEOPLE.flatMap((_, index) => planPerson(index, times)).toSorted(
    (a, b) => a.atMs - b.atMs,
  )
}

/** Two moments of each day, shared by all people: few moments make few batches, so the demo starts quickly. */
function planTimes(nowMs: number): [number, number][] {
  const next = createSequence(0)
  return Array.from({ length: HISTORY_DAYS }, (_, day) => {
    const dayMs = nowMs - (HISTORY_DAYS - day) * DAY_MS
    return [0, 0.5].map((part) => dayMs + Math.floor((part + 0.3 * next()) * DAY_MS)) as [
      number,
      number,
    ]
  })
}

function planPerson(index: number, times: readonly [number, number][]): PastPayment[] {
  const { joinedDay, apps } = DEMO_PEOPLE[index] as DemoPerson
  const next = createSequence(index + 1)
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(next() * items.length)] as Item
  const payments: PastPayment[] = []
  let balanceMinor = 0
  function add(payment: Omit<PastPayment, 'person'>) {
    balanceMinor += payment.kind === 'debit' ? -payment.amountMinor : payment.amountMinor
    payments.push({ person: index, ...payment })
  }
  for (const [day, [earlyMs, lateMs]] of times.entries()) {
    const isLast = day === HISTORY_DAYS - 1
    if (day < joinedDay || (next() < 0.35 && !isLast)) continue
    const app = pick(apps)
    const isRefunded = next() < 0.06
    const atMs = isRefunded || next() < 0.5 ? earlyMs : lateMs
    // The last day ends with a full wallet, so that a visitor can pay.
    if (balanceMinor < LOW_MINOR || isLast) {
      const amountMinor = isLast ? 30_00 : pick(TOPUPS_MINOR)
      add({ atMs, kind: 'topup', app, amountMinor, description: null })
    }
    if (isLast) continue
    const [name, amountMinor] = pick((DEMO_APPS[app] as DemoApp).products)
    add({ atMs, kind: 'debit', app, amountMinor, description: name })
    if (isRefunded) {
      const description = `Refund: ${name}`
      add({ atMs: lateMs, kind: 'credit', app, amountMinor, description })
    }
  }
  return payments
}

/** Numbers from 0 up to 1 that look random and are the same at every start (mulberry32). */
function createSequence(seed: number): () => number {
  let state = seed * 0x9e3779b1
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
