/** One plan: two apps, two people, three browsers, and what the positions in its commands stand for. */
import { randomBytes } from 'node:crypto'
import { createServiceUser } from '../../server/identity/create-service-user.ts'
import { link } from '../../server/identity/link.ts'
import { createProof, giveBonus, makeClientApp } from '../../server/test/factories.ts'
import { Calls, DEVICES, type Shared } from './calls.ts'
import {
  EMAILS,
  VERIFIERS,
  type Address,
  type Pick,
  type Plan,
  type Visitor,
  type PasswordChoice,
} from './commands.ts'
import { LinksModel, WEAK_PASSWORD } from './model.ts'
import type { App, Browser, End, Expiring, Person } from './state.ts'

/** The passwords of people. */
export const PASSWORDS = [
  'a sound passphrase',
  'another harbour at dusk',
  'a third harbour at dawn',
]
const WRONG = 'nobody has this password'

/** What an app's backend keeps in the session of its user, and what the widget gets. */
export interface Proof {
  verifier: string
  challenge: string
}

let runs = 0

export class Run {
  readonly model = new LinksModel()
  readonly calls: Calls
  readonly plan: Plan
  readonly emails: string[]
  readonly proofs: Proof[]
  /** Of those who existed before the plan, in the database. */
  readonly ids = new Map<Person, bigint>()
  readonly #number = ++runs

  constructor(shared: Shared, plan: Plan, note: (step: string) => void) {
    this.calls = new Calls(shared, this.model, note)
    this.plan = plan
    const host = `${randomBytes(6).toString('hex')}.example`
    this.emails = Array.from({ length: EMAILS }, (_, index) => `${'abcd'[index]}.person@${host}`)
    this.proofs = Array.from({ length: VERIFIERS }, createProof)
  }

  async addShop() {
    const { context } = this.calls.harness
    for (const index of [0, 1]) {
      const parents = { allowedIframeParents: [this.parentOf(index)] }
      const about = { name: `Shop ${index}`, ...parents }
      this.calls.apps.push(await makeClientApp(context, about))
      this.model.addApp()
    }
    for (const [index, device] of [...DEVICES.keys()].entries()) {
      // The limits of networks in memory do not know the plan's clock, so each plan has networks of its own.
      const network = `10.${this.#number >> 8}.${this.#number & 255}.${index}`
      this.model.browsers.push({ device, network, logIn: undefined, known: undefined })
    }
    await this.#addPerson(0, true, false)
    await this.#addPerson(1, this.plan.isSecondVerified, this.plan.hasMoney)
    if (!this.plan.isLinked) return
    for (const app of this.model.apps) {
      for (const person of this.model.people) await this.#link(app, person)
    }
  }

  async #addPerson(index: number, isVerified: boolean, hasMoney: boolean) {
    const { context } = this.calls.harness
    const [email, password] = [this.emails[index] as string, PASSWORDS[0] as string]
    const person = this.model.addPerson({ email, password, isVerified, hasMoney })
    const names = { firstName: person.firstName, lastName: 'Example' }
    const { passwordHash } = this.calls
    const made = await createServiceUser(context, { ...names, email, passwordHash, isVerified })
    if (hasMoney) await giveBonus(context.ledger, made.walletId, 1n)
    this.ids.set(person, made.id)
  }

  async #link(app: App, person: Person) {
    this.calls.avoidBoundaries()
    const { id } = this.model.addLink(app, person)
    const { db } = this.calls.harness.context
    id.value = await link(db, this.calls.testApp(app).id, this.ids.get(person) as bigint)
  }

  /** The page that may embed the widget of this app. */
  parentOf(index: number): string {
    return `https://shop${index}-${this.emails[0]?.split('@')[1]}`
  }

  appAt(index: number): App {
    return this.model.apps[this.plan.isOneApp ? 0 : index] as App
  }

  browserAt(index: number): Browser {
    return this.model.browsers[index] as Browser
  }

  visitorAt({ browser, isAny }: Visitor): Browser {
    const { browsers } = this.model
    const loggedIn = browsers.filter((each) => this.personIn(each))
    const from = isAny || loggedIn.length === 0 ? browsers : loggedIn
    return from[browser % from.length] as Browser
  }

  /** Who is logged in. */
  personIn({ logIn }: Browser): Person | undefined {
    return logIn && this.model.isLoggedIn(logIn) ? logIn.person : undefined
  }

  emailAt({ email, isUpperCase }: Address): string {
    const found = this.emails[this.plan.isOnePerson && email === 1 ? 0 : email] as string
    return isUpperCase ? found.toUpperCase() : found
  }

  passwordOf(passwordChoice: PasswordChoice, person: Person | undefined): string {
    if (passwordChoice === 'weak') return WEAK_PASSWORD
    if (passwordChoice === 'wrong') return WRONG
    const own = Math.max(0, PASSWORDS.indexOf(person?.password ?? ''))
    return PASSWORDS[(own + (passwordChoice === 'old' ? 1 : 0)) % PASSWORDS.length] as string
  }

  pick<Item>({ back, prefers }: Pick, all: readonly Item[], isLive: (item: Item) => boolean) {
    const live = prefers === 'live' ? all.filter(isLive) : []
    const from = live.length > 0 ? live : all
    return from[from.length - 1 - (back % Math.max(1, from.length))]
  }

  /** What ended a credential. */
  stateOf(credential: Expiring): End | 'works' | 'time' {
    if (credential.endedBy) return credential.endedBy
    return this.model.isLive(credential) ? 'works' : 'time'
  }
}
