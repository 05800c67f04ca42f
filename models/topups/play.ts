/** Plays a plan on the service and on the model, and compares every response. */
import { endAutomaticTopup, setAutomaticTopup } from '@coffer/contract/account/automatic-topup'
import { deleteAccount, resetAccountPassword } from '@coffer/contract/account/account'
import { removeCard, setDefaultCard } from '@coffer/contract/account/cards'
import { confirmOwnTopup, createOwnIntent } from '@coffer/contract/account/topup'
import { freezeWallet } from '@coffer/contract/admin/people'
import { refundTopup } from '@coffer/contract/admin/topups'
import type { Endpoint } from '@coffer/contract/endpoint'
import { debit } from '@coffer/contract/server/wallet'
import { createCardIntent, listWidgetCards } from '@coffer/contract/widget/cards'
import { confirmTopup, createIntent } from '@coffer/contract/widget/widget'
import type { LightMyRequestResponse } from 'fastify'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { idOf } from '../../sandbox/state.ts'
import { issueTicket } from '../../server/identity/ticket.ts'
import { runMaintenance } from '../../server/run-maintenance.ts'
import { PASSWORD } from '../../server/test/sign-in.ts'
import { deliver, sign } from '../../server/test/webhooks.ts'
import { reconcile } from '../../server/topup/reconcile.ts'
import { sweep } from '../../server/test/topup-setup.ts'
import type { Fields } from '../../server/test/setup.ts'
import { monthStart } from './automatic.ts'
import type { CardChoice, Command, Of, Part, Plan, PlannedFault } from './commands.ts'
import { compareBooks, compareCards, compareViews, type BothSides } from './look.ts'
import { Model, refundableOf } from './model.ts'
import { Observer } from './observe.ts'
import { isCancelable, ROUTE, unrefundedOf, type CardName, type SavedCard } from './processor.ts'
import { askOperator, makeApps, NEW_PASSWORD, TestPayer, type Service } from './service.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, type Answer, type Person, type Topup } from './state.ts'

const TOLERANCE_SECONDS = 60
const SANDBOX_NAME: Record<CardName, string> = {
  visa: 'pm_card_visa',
  mastercard: 'pm_card_mastercard',
  asks: 'pm_card_authenticationRequired',
  declined: 'pm_card_chargeDeclined',
  pending: 'pm_card_pendingRefund',
  refundFails: 'pm_card_refundFail',
}

type Handlers = { [Name in Command['do']]: (command: Of<Name>) => Promise<void> }

export class Run {
  readonly #service: Service
  readonly #plan: Plan
  readonly #hit: (name: string) => void
  readonly #note: (step: string) => void
  readonly #model: Model
  readonly #payers: TestPayer[] = []
  readonly #cardIds = new Map<SavedCard, string>()
  readonly #observer: Observer
  readonly #startMs = Date.now()
  #command = ''
  #lastRefund: { topup: Topup; key: string; amount: number } | undefined
  /** When the sweeper last had a turn to poll. */
  #polledMs = -Infinity

  constructor(
    service: Service,
    plan: Plan,
    hit: (name: string) => void,
    note: (step: string) => void,
  ) {
    this.#service = service
    this.#plan = plan
    this.#hit = hit
    this.#note = note
    this.#model = new Model(this.#startMs)
    this.#model.freezesOnDispute = plan.freezesOnDispute
    this.#observer = new Observer(service, this.#model, this.#payers)
  }

  async play() {
    const { harness } = this.#service
    Object.assign(harness.context.config, { freezeOnDispute: this.#plan.freezesOnDispute })
    await this.#addPayers()
    const { commands, without } = this.#plan
    for (const [at, command] of commands.entries()) {
      // A deletion ends most of what can happen.
      const isEarly = command.do === 'delete' && at < 0.6 * commands.length
      if (!isEarly && !without.includes(command.do)) await this.#execute(command)
    }
    await this.#end()
  }

  async #addPayers() {
    await runMaintenance(this.#service.harness.context)
    const apps = await makeApps(this.#service)
    for (let index = 0; index < 2; index++) {
      this.#payers.push(await TestPayer.make(this.#service, apps))
      const person = this.#model.addPerson()
      const cards = index === 0 ? this.#plan.savedCards : this.#plan.savedCards.slice(0, 1)
      for (const card of cards) await this.#attach(person, card)
    }
    if (!this.#plan.startsAutomatic) return
    const terms = { threshold: 5000, amount: 2000, monthMax: 6000, timeZone: 'UTC' }
    const how = {
      person: 0,
      card: 'stored',
      position: 0,
      isPasswordRight: true,
      fault: null,
    } as const
    await this.#execute({ do: 'automatic', ...terms, ...how })
  }

  /** As the processor saves a card with a payment. */
  async #attach(person: Person, card: CardName) {
    const { tools, harness } = this.#service
    const { stripe } = tools.processor
    const { id } = this.#payer(person)
    const insert = 'insert into directory.customers (service_user_id, customer_id) values ($1, $2)'
    if (!person.hasCustomer)
      await harness.admin.query(insert, [id, (await stripe.customers.create()).id])
    const method = await stripe.paymentMethods.attach(SANDBOX_NAME[card], {
      customer: await this.#customer(person),
    })
    person.hasCustomer = true
    const saved: SavedCard = {
      card,
      bank: card === 'asks' ? 'asks' : 'good',
      isGone: false,
      isDefault: false,
    }
    person.cards.push(saved)
    this.#cardIds.set(saved, method.id)
  }

  async #customer(person: Person): Promise<string> {
    const { rows } = await this.#service.harness.admin.query<{ customer_id: string }>(
      'select customer_id from directory.customers where service_user_id = $1',
      [this.#payer(person).id],
    )
    return rows[0]?.customer_id ?? assert.fail('no customer')
  }

  async #execute(command: Command) {
    const given = this.#focus(command)
    this.#command = given.do
    const text = JSON.stringify(given)
    try {
      const act = this.#handlers[given.do] as (command: Command) => Promise<void>
      await act(given)
      await this.#observer.observe()
      await this.#compareWallets()
    } finally {
      this.#note(text)
    }
  }

  #focus(command: Command): Command {
    const { isOnePerson, onlyApp, isUnlucky } = this.#plan
    return {
      ...command,
      ...('person' in command && isOnePerson && { person: 0 }),
      ...(command.do === 'create' && onlyApp !== undefined && { app: onlyApp }),
      ...(command.do === 'pay' && isUnlucky && !command.isSlow && { card: 'declined' }),
    } as Command
  }

  async #compareWallets() {
    for (const person of this.#model.people) {
      const wallet = await this.#service.harness.context.ledger.readWallet(
        this.#payer(person).walletId,
      )
      const { balance, debt, isActive } = person
      const real = {
        balance: Number(wallet?.balance),
        debt: Number(wallet?.debt),
        isActive: wallet?.isActive,
      }
      // Events that arrive together have no order, so a deleted wallet can lose money to the unclaimed before a seizure.
      if (!person.isDeleted)
        assert.deepEqual(real, { balance, debt, isActive }, `wallet of person ${person.index}`)
      else assert.equal(real.balance, 0, 'balance of a deleted person')
    }
  }

  #sides(): BothSides {
    return {
      service: this.#service,
      model: this.#model,
      payers: this.#payers,
      observer: this.#observer,
      cardIds: this.#cardIds,
    }
  }

  #payer = (person: Person) => this.#payers[person.index] as TestPayer
  #person = (index: number) => this.#model.people[index] as Person

  /** Counted from the newest. */
  #topup(position: number): Topup | undefined {
    const { topups } = this.#model
    return topups.length === 0 ? undefined : topups[topups.length - 1 - (position % topups.length)]
  }

  /** Credited ones first. */
  #paid(position: number): Topup | undefined {
    const paid = this.#model.topups.filter(({ intent }) => intent?.status === 'succeeded')
    const credited = paid.filter(({ state }) => state === 'credited')
    const chosen = credited.length > 0 && position < 3 ? credited : paid
    return chosen[chosen.length - 1 - (position % Math.max(1, chosen.length))]
  }

  #payable(position: number): Topup | undefined {
    const { nowMs, topups } = this.#model
    const fitting = topups.filter(
      ({ isBound, isAutomatic, intent, createdMs }) =>
        isBound && !isAutomatic && intent && isCancelable(intent) && createdMs > nowMs - DAY_MS,
    )
    return fitting[fitting.length - 1 - (position % Math.max(1, fitting.length))]
  }

  /** One that is not credited yet, or any. */
  #asked(position: number): Topup | undefined {
    const open = this.#model.topups.filter(
      (topup) => topup.state === 'open' && this.#observer.hasIntent(topup),
    )
    return position < 3 && open.length > 0
      ? open[open.length - 1 - (position % open.length)]
      : this.#topup(position)
  }

  #compare(answer: Answer, response: LightMyRequestResponse) {
    const body = response.json<Record<string, unknown>>()
    const code = typeof body['code'] === 'string' ? body['code'] : undefined
    this.#hit(`${this.#command} ${code ?? response.statusCode}`)
    assert.equal(
      code ?? response.statusCode,
      answer.code ?? answer.status,
      `${this.#command}: ${response.body}`,
    )
    for (const [name, value] of Object.entries(answer.body ?? {})) {
      assert.deepEqual(body[name], value, `${this.#command}: ${name} of ${response.body}`)
    }
    const waitSeconds = Number(response.headers['retry-after'])
    if (answer.code === 'TOPUP_LIMIT_EXCEEDED')
      assert(waitSeconds >= 1 && waitSeconds <= DAY_MS / 1000)
    if (answer.waitMs === undefined) return
    const isClose = Math.abs(waitSeconds - answer.waitMs / 1000) < TOLERANCE_SECONDS
    assert(isClose, `Retry-After ${waitSeconds} instead of ${answer.waitMs / 1000}`)
  }

  /** Lets calls of the processor get lost while both run. */
  async #withFault(
    fault: PlannedFault | null,
    routes: readonly string[],
    act: () => Promise<void>,
  ) {
    const route = routes[(fault?.position ?? 0) % routes.length]
    const { faults } = this.#service.sandbox
    if (fault && route && this.#plan.hasFaults && this.#mayLose(route)) {
      const { how } = fault
      if (how === 'once') faults.timeoutAfter = { times: 1, route, reset: true }
      else {
        const name = how === 'before' ? 'timeoutBefore' : how === 'after' ? 'timeoutAfter' : how
        faults[name] = { times: 1000, route, reset: true }
        this.#model.processor.fault = {
          route,
          isExecuted: how === 'after' || how === 'status500After',
        }
        this.#hit(`${this.#command} while ${route} is lost`)
      }
    }
    try {
      await act()
    } finally {
      this.#service.sandbox.resetFaults()
      this.#model.processor.fault = null
    }
  }

  /**
   * The fifth failed payment cancels all open ones, one after the other. The model does not follow which of these calls
   * got lost.
   */
  #mayLose(route: string): boolean {
    if (route !== ROUTE.cancel && route !== ROUTE.readIntent) return true
    const failed = this.#model.events.filter(({ type }) => type === 'payment_intent.payment_failed')
    return this.#model.people.every(
      (person) => failed.filter(({ topup }) => topup.person === person).length < 5,
    )
  }

  #cardOf(
    person: Person,
    choice: CardChoice,
    position: number,
  ): SavedCard | 'save' | 'unknown' | null {
    if (choice === 'none' || choice === 'save') return choice === 'none' ? null : 'save'
    const owner = choice === 'foreign' ? this.#person(1 - person.index) : person
    const all = owner.cards.filter(({ isGone }) => isGone === (choice === 'gone'))
    return all[position % Math.max(1, all.length)] ?? 'unknown'
  }

  #idOf(card: SavedCard | 'unknown'): string {
    return card === 'unknown' ? 'pm_unknown' : (this.#cardIds.get(card) ?? assert.fail('no card'))
  }

  #pass(ms: number) {
    this.#service.clock.advanceMs(ms)
    this.#model.nowMs += ms
  }

  /** As the page of an app's widget or of /account. undefined: it cannot ask, or it is refused before anything happens. */
  async #askPage(
    person: Person,
    app: number | null,
    { own, widget }: { own: Endpoint; widget: Endpoint },
    fields: Fields,
    isStale: boolean,
  ): Promise<LightMyRequestResponse | undefined> {
    const payer = this.#payer(person)
    if (app === null) {
      const response = await payer.askAccount(own, fields)
      if (!person.isDeleted) return response
      this.#compare({ code: 'LOGIN_REQUIRED' }, response)
      return undefined
    }
    const oldest = payer.oldestSession(app)
    const isOver = oldest && (this.#isOver(person, oldest.createdMs) || person.areLinksEnded)
    const session = isStale && isOver ? oldest : await payer.findSession(app, person.areLinksEnded)
    if (session === undefined || session.token === '') return undefined
    const response = await payer.askWidget(session, widget, fields)
    if (!person.areLinksEnded && !(isStale && isOver)) return response
    this.#compare({ code: 'SESSION_EXPIRED' }, response)
    return undefined
  }

  #isOver(person: Person, createdMs: number): boolean {
    return createdMs < person.sessionsSinceMs || Date.now() - createdMs > 6 * MINUTE_MS
  }

  async #create({
    person: index,
    app,
    amount,
    card: choice,
    position,
    isStale,
    fault,
  }: Of<'create'>) {
    const person = this.#person(index)
    const card = app === null ? this.#cardOf(person, choice, position) : null
    const cardFields =
      card === null ? {} : card === 'save' ? { saveCard: true } : { cardId: this.#idOf(card) }
    const fields = { amount: (amount / 100).toFixed(2), ...cardFields }
    const routes = [ROUTE.createIntent, ROUTE.createCustomer, ROUTE.listCards]
    await this.#withFault(fault, routes, async () => {
      const endpoints = { own: createOwnIntent, widget: createIntent }
      const response = await this.#askPage(person, app, endpoints, fields, isStale)
      if (response === undefined) return
      const answer = this.#model.create(person, app, amount, card)
      this.#compare(answer, response)
      const body = response.json<{ amount?: number; status?: string }>()
      if (!answer.topup) return
      assert.equal(body.amount, amount / 100)
      assert.equal(body.status, answer.topup.intent?.status)
    })
  }

  /** The password in the widget gives a ticket, which pays once with a saved card. */
  async #payInWidget({ person: index, app, amount, position, repeats }: Of<'widgetCard'>) {
    const person = this.#person(index)
    const session = await this.#payer(person).findSession(app, person.areLinksEnded)
    if (session === undefined || person.areLinksEnded) return
    const payer = this.#payer(person)
    const wrong = await payer.askWidget(session, listWidgetCards, { password: 'not this password' })
    this.#compare({ code: 'LOGIN_FAILED' }, wrong)
    const listed = await payer.askWidget(session, listWidgetCards, { password: payer.password })
    this.#compare({ status: 200 }, listed)
    const { ticket, cards } = listed.json<{ ticket: string; cards: unknown[] }>()
    compareCards(this.#sides(), person, cards)
    const card = this.#cardOf(person, 'stored', position) as SavedCard | 'unknown'
    const fields = { ticket, cardId: this.#idOf(card), amount: (amount / 100).toFixed(2) }
    const paid = await payer.askWidget(session, createCardIntent, fields)
    const isTicketUsed = person.isActive && amount >= 100 && amount <= 3000
    this.#compare(this.#model.create(person, app, amount, card), paid)
    await this.#observer.observe()
    if (!repeats || !isTicketUsed || !person.isActive) return
    this.#compare(
      { code: 'LOGIN_REQUIRED' },
      await payer.askWidget(session, createCardIntent, fields),
    )
  }

  async #pay({ topup: position, card: name, challenge, isSlow }: Of<'pay'>) {
    const topup = this.#payable(position)
    const intent = topup?.intent
    if (!topup || !intent) return
    const stored = name === 'stored' ? intent.saved : null
    const card = stored?.card ?? (name === 'stored' ? 'visa' : name)
    const attempt = { card, bank: stored?.bank ?? bankOf(card), saved: stored }
    const { sandbox } = this.#service
    sandbox.faults.processing = isSlow
    const method = stored ? this.#idOf(stored) : SANDBOX_NAME[card]
    const outcome =
      challenge === 'open' ? undefined : challenge === 'passed' ? 'succeeded' : 'failed'
    try {
      sandbox.complete(this.#observer.intentId(topup), method, outcome)
    } catch (error) {
      if (!stored?.isGone) throw error
    } finally {
      sandbox.faults.processing = false
    }
    this.#keep(topup, this.#model.processor.pay(intent, attempt, challenge, isSlow))
    if (intent.status === 'requires_action') intent.pending = attempt
    this.#hit(`pay ${intent.status}`)
  }

  /** The payment saved its card. */
  #keep(topup: Topup, saved: SavedCard | null) {
    if (!saved) return
    topup.person.cards.push(saved)
    this.#cardIds.set(saved, idOf(this.#observer.intentOf(topup).payment_method))
    this.#hit('a payment saves its card')
  }

  async #bankDecides({ topup: position, isPassed }: Of<'bankDecides'>) {
    const waiting = this.#model.topups.filter(({ intent }) => intent && isWaiting(intent.status))
    const topup = waiting[position % Math.max(1, waiting.length)]
    const intent = topup?.intent
    if (!topup || !intent) return
    const { sandbox } = this.#service
    const id = this.#observer.intentId(topup)
    if (intent.status === 'processing') {
      sandbox.endProcessing(id)
      this.#keep(topup, this.#model.processor.endProcessing(intent))
    } else if (intent.pending) {
      const { pending } = intent
      sandbox.authenticate(id, isPassed ? 'succeeded' : 'failed')
      intent.pending = null
      const challenge = isPassed ? 'passed' : 'failed'
      const attempt = { ...pending, saved: pending.saved && { ...pending.saved, isGone: false } }
      this.#keep(topup, this.#model.processor.pay(intent, attempt, challenge, false))
    }
    this.#hit(`bankDecides ${intent.status}`)
  }

  async #confirm({ topup: position, as, isStale, fault }: Of<'confirm'>) {
    const topup = this.#asked(position)
    if (!topup || !this.#observer.hasIntent(topup)) return
    const person = as === 'otherPerson' ? this.#person(1 - topup.person.index) : topup.person
    const app =
      as === 'otherApp' ? (topup.app === null ? 0 : topup.app === 0 ? 1 : null) : topup.app
    const fields = { paymentIntentId: this.#observer.intentId(topup) }
    await this.#withFault(fault, [ROUTE.readIntent], async () => {
      const endpoints = { own: confirmOwnTopup, widget: confirmTopup }
      const response = await this.#askPage(person, app, endpoints, fields, isStale)
      if (response) this.#compare(this.#model.confirm(person, app, topup), response)
    })
  }

  async #deliver({ event: position, which, times, fault }: Of<'deliver'>) {
    const { events } = this.#model
    await this.#withFault(
      fault,
      [ROUTE.readIntent, ROUTE.readDispute, ROUTE.listRefunds],
      async () => {
        for (let count = 0; count < times; count++) {
          const open = events.filter(({ isDone, isKnown }) => !isDone && isKnown)
          const event =
            which === 'any'
              ? events.at(-1 - position)
              : which === 'newest'
                ? open.at(-1 - (position % Math.max(1, open.length)))
                : open[0]
          if (event === undefined) return
          const real = this.#observer.eventOf(event.id)
          const text = JSON.stringify(real)
          if (which === 'forged' || which === 'old') {
            const { webhookSecret } = this.#service.sandbox
            const signature =
              which === 'old' ? sign(text, webhookSecret, -600) : sign(text, 'whsec_other')
            this.#compare(
              { code: 'INVALID_SIGNATURE' },
              await deliver(this.#service, real, signature),
            )
            return
          }
          const isRepeated = event.isDone
          const response = await deliver(this.#service, real)
          if (event.isKnown) this.#hit(`deliver ${event.type}${isRepeated ? ' again' : ''}`)
          this.#compare(this.#model.receive(event, 'webhook'), response)
        }
      },
    )
  }

  /** The window asks three times and the processor sends all events, at once. */
  async #race({ topup: position }: Of<'race'>) {
    const topup = this.#asked(position)
    if (!topup || !this.#observer.hasIntent(topup) || topup.person.areLinksEnded) return
    const { person, app } = topup
    const fields = { paymentIntentId: this.#observer.intentId(topup) }
    const wasCredited = topup.state === 'credited'
    const events = this.#model.events.filter((event) => event.topup === topup && event.isKnown)
    const endpoints = { own: confirmOwnTopup, widget: confirmTopup }
    if (app !== null) await this.#payer(person).findSession(app, false)
    else await this.#payer(person).askAccount(confirmOwnTopup, { paymentIntentId: 'pi_none' })
    const asked = await Promise.all([
      ...[1, 2, 3].map(() => this.#askPage(person, app, endpoints, fields, false)),
      ...events.map((event) => deliver(this.#service, this.#observer.eventOf(event.id))),
    ])
    const { body, ...expected } = this.#model.confirm(person, app, topup)
    for (const event of events) this.#model.receive(event, 'webhook')
    const { status } = body ?? {}
    for (const response of asked.slice(0, 3)) {
      assert(response)
      this.#compare({ ...expected, ...(body && { body: { status } }) }, response)
    }
    for (const response of asked.slice(3)) assert.equal(response?.statusCode, 200, response?.body)
    // Whoever was first.
    if (!wasCredited) topup.reportedBy = null
  }

  async #sweep({ isSlow, fault }: Of<'sweep'>) {
    const routes = [
      ROUTE.listEvents,
      ROUTE.readIntent,
      ROUTE.createIntent,
      ROUTE.confirm,
      ROUTE.cancel,
      ROUTE.createRefund,
      ROUTE.listRefunds,
      ROUTE.readDispute,
      ROUTE.deleteCustomer,
    ]
    this.#pass(MINUTE_MS)
    const { sandbox, tools } = this.#service
    await this.#withFault(fault, routes, async () => {
      sandbox.faults.processing = isSlow
      this.#model.isSlow = isSlow
      const rounds = Math.max(1, Math.ceil(this.#model.countDue() / 5))
      for (let round = 0; round < rounds; round++) {
        const isPollDue = this.#model.nowMs - this.#polledMs >= 10_000
        if (isPollDue) this.#polledMs = this.#model.nowMs
        this.#countMonths()
        await sweep(tools, isPollDue ? undefined : ['check-topups', 'automatic-topups'])
        this.#model.sweep(isPollDue)
        this.#countSuspensions()
        this.#pass(1000)
      }
      this.#model.isSlow = false
    })
    this.#pass(MINUTE_MS - (this.#model.nowMs % MINUTE_MS))
  }

  #countSuspensions() {
    for (const { automatic } of this.#model.people) {
      if (automatic?.suspendedFor)
        this.#hit(`automatic top-up suspended for ${automatic.suspendedFor}`)
    }
  }

  /** When the month of the person allows another charge and that of UTC does not, or the other way round. */
  #countMonths() {
    const { automatic, people } = this.#model
    for (const person of people) {
      const terms = person.automatic
      if (terms === null || !automatic.isDue(person)) continue
      const { timeZone } = terms
      const [isOne, isOther] = [timeZone, 'UTC'].map((zone) => automatic.fits(person, terms, zone))
      if (isOne !== isOther) this.#hit(`the month of ${timeZone} decides`)
    }
  }

  async #passMonth({ person: index, isBefore }: Of<'passMonth'>) {
    const timeZone = this.#person(index).automatic?.timeZone ?? 'UTC'
    const atMs = monthStart(this.#model.nowMs, timeZone, 1) + (isBefore ? -2 : 1) * MINUTE_MS
    if (atMs <= this.#model.nowMs) return
    this.#pass(atMs - this.#model.nowMs)
    await runMaintenance(this.#service.harness.context)
  }

  async #refund({ topup: position, part, again, fault }: Of<'refund'>) {
    const topup = this.#paid(position) ?? this.#topup(position)
    if (!topup) return
    const last = this.#lastRefund
    const isRepeat = again !== 'no' && last !== undefined
    const wanted = isRepeat
      ? last
      : { topup, key: randomUUID(), amount: partOf(refundableOf(topup), part) }
    const amount = wanted.amount + (isRepeat && again === 'changed' ? 1 : 0)
    const fields = {
      refundId: wanted.key,
      topupId: this.#observer.rowId(wanted.topup),
      amount: (amount / 100).toFixed(2),
      reason: 'The model asks for it.',
    }
    const isInDoubt = !isRepeat && topup.refunds.some(({ state }) => state === 'reserved')
    await this.#withFault(fault, [ROUTE.createRefund, ROUTE.listRefunds], async () => {
      const response = await askOperator(this.#service, refundTopup, fields)
      const answer = this.#model.refund(wanted.topup, wanted.key, amount)
      this.#compare(answer, response)
      if (isInDoubt) this.#hit(`refund ${answer.code ?? 200} while another is in doubt`)
      const state = answer.body?.['state']
      if (typeof state === 'string') this.#hit(`refund ${state}${isRepeat ? ' again' : ''}`)
    })
    if (!isRepeat) this.#lastRefund = wanted
  }

  async #processorRefund({ topup: position, part }: Of<'processorRefund'>) {
    const topup = this.#paid(position)
    const intent = topup?.intent
    if (!topup || !intent || !(intent.dispute?.isRefundable ?? true)) return
    const amount = Math.min(partOf(unrefundedOf(intent), part), unrefundedOf(intent))
    if (amount === 0) return
    const { refunds } = this.#service.tools.processor.stripe
    const { id } = await refunds.create({ payment_intent: this.#observer.intentId(topup), amount })
    this.#model.processor.refund(intent, id, amount, false)
    this.#hit('processorRefund')
  }

  async #endRefund({ refund: position, isFailed }: Of<'endRefund'>) {
    const all = this.#model.topups.flatMap(({ intent }) => intent?.refunds ?? [])
    const refund = all[all.length - 1 - (position % Math.max(1, all.length))]
    if (!refund || refund.status === 'failed' || (!isFailed && refund.status !== 'pending')) return
    const { sandbox } = this.#service
    const real = [...sandbox.state.refunds.values()].find(
      ({ id, metadata }) => id === refund.key || metadata?.['refundId'] === refund.key,
    )
    assert(real)
    if (isFailed) sandbox.failRefund(real.id)
    else sandbox.succeedRefund(real.id)
    refund.status = isFailed ? 'failed' : 'succeeded'
    this.#hit(`endRefund ${refund.status} ${refund.isOurs ? 'ours' : 'at processor'}`)
  }

  async #dispute({ topup: position, part, isInquiry }: Of<'dispute'>) {
    const topup = this.#paid(position)
    const intent = topup?.intent
    if (!topup || !intent || intent.dispute) return
    const amount = Math.min(intent.amount, Math.max(1, partOf(intent.amount, part)))
    const charge = idOf(this.#observer.intentOf(topup).latest_charge)
    const { status } = this.#service.sandbox.openDispute(charge, { amount, isInquiry })
    const isOpen = { isRefundable: isInquiry, isWithdrawn: !isInquiry, isReinstated: false }
    intent.dispute = { amount, status, ...isOpen }
    this.#hit(`dispute ${status}`)
  }

  async #resolve({ topup: position, outcome }: Of<'resolve'>) {
    const disputed = this.#model.topups.filter(({ intent }) => intent?.dispute)
    const topup = disputed[position % Math.max(1, disputed.length)]
    const dispute = topup?.intent?.dispute
    if (!topup || !dispute) return
    const isChargeback = dispute.status === 'needs_response'
    const isInquiry = dispute.status === 'warning_needs_response'
    if (outcome === 'won' || outcome === 'lost' ? !isChargeback : !isInquiry) return
    const { sandbox } = this.#service
    const id = this.#observer.intentId(topup)
    const real = [...sandbox.state.disputes.values()].find(
      ({ payment_intent: about }) => about === id,
    )
    assert(real)
    const { status } = sandbox.resolveDispute(real.id, outcome)
    dispute.status = status
    if (outcome === 'won') dispute.isReinstated = true
    if (outcome === 'escalated') Object.assign(dispute, { isWithdrawn: true, isRefundable: false })
    this.#hit(`resolve ${outcome}`)
  }

  async #changeCard(command: Of<'removeCard' | 'chooseCard'>) {
    const { person: index, position, isForeign, fault } = command
    const person = this.#person(index)
    const card = this.#cardOf(person, isForeign ? 'foreign' : 'stored', position) as
      SavedCard | 'unknown'
    if (card === 'unknown' || person.isDeleted) return
    const isRemoval = command.do === 'removeCard'
    const routes = [ROUTE.listCards, isRemoval ? ROUTE.detach : ROUTE.updateCustomer]
    await this.#withFault(fault, routes, async () => {
      const endpoint = isRemoval ? removeCard : setDefaultCard
      const response = await this.#payer(person).askAccount(endpoint, { id: this.#idOf(card) })
      const answer = isRemoval
        ? this.#model.removeCard(person, card)
        : this.#model.chooseCard(person, this.#shown(card))
      this.#compare(answer, response)
    })
  }

  /** Of a card that was saved twice, the newest copy. */
  #shown(card: SavedCard): SavedCard {
    const owner = this.#model.people.find(({ cards }) => cards.includes(card))
    return owner?.cards.findLast((each) => each.card === card.card && !each.isGone) ?? card
  }

  async #changeBank({ person: index, position, bank }: Of<'bank'>) {
    const card = this.#cardOf(this.#person(index), 'stored', position)
    if (card === null || card === 'save' || card === 'unknown') return
    const { cards } = this.#service.sandbox.state
    const id = this.#idOf(card)
    const known = cards.get(id)
    assert(known)
    const { decline: _decline, threeDSecure: _threeDSecure, ...plain } = known
    const decline = { decline: 'generic_decline' } as const
    const asks = { threeDSecure: 'required' } as const
    cards.set(id, { ...plain, ...(bank === 'declined' && decline), ...(bank === 'asks' && asks) })
    card.bank = bank
  }

  async #setAutomatic({
    person: index,
    card: choice,
    position,
    isPasswordRight,
    fault,
    ...terms
  }: Of<'automatic'>) {
    const person = this.#person(index)
    if (person.isDeleted) return
    const card = this.#cardOf(person, choice, position) as SavedCard | 'unknown'
    const toText = (minor: number) => (minor / 100).toFixed(2)
    const payer = this.#payer(person)
    const fields = {
      password: isPasswordRight ? payer.password : 'not this password',
      threshold: toText(terms.threshold),
      amount: toText(terms.amount),
      monthMax: toText(terms.monthMax),
      timeZone: terms.timeZone,
      cardId: this.#idOf(card),
    }
    await this.#withFault(fault, [ROUTE.listCards], async () => {
      const response = await payer.askAccount(setAutomaticTopup, fields)
      const { threshold, amount, monthMax, timeZone } = terms
      const wanted = { threshold, amount, monthMax, timeZone }
      this.#compare(this.#model.automatic.set(person, card, wanted, isPasswordRight), response)
    })
  }

  async #switchOff({ person: index }: Of<'automaticOff'>) {
    const person = this.#person(index)
    if (person.isDeleted) return
    this.#compare({ status: 200 }, await this.#payer(person).askAccount(endAutomaticTopup))
    person.automatic = null
  }

  async #reset({ person: index }: Of<'reset'>) {
    const person = this.#person(index)
    if (person.isDeleted) return
    const payer = this.#payer(person)
    const { db } = this.#service.harness.context
    const about = { purpose: 'reset_link', userId: payer.id, email: payer.email } as const
    const password = payer.password === PASSWORD ? NEW_PASSWORD : PASSWORD
    const ticket = await issueTicket(db, about, 60)
    const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
    const payload = JSON.stringify({ ticket, password })
    const { harness } = this.#service
    const response = await harness.inject({
      method: 'POST',
      url: resetAccountPassword.path,
      payload,
      headers,
    })
    this.#compare({ status: 200 }, response)
    payer.changePassword(password)
    payer.endSessions()
    this.#model.resetPassword(person)
    if (this.#model.openOf(person).some(({ isAutomatic }) => isAutomatic))
      this.#hit('reset with an open charge')
  }

  async #freeze({ person: index, isFrozen }: Of<'freeze'>) {
    const person = this.#person(index)
    if (person.isDeleted) return
    const fields = { id: String(this.#payer(person).id), isFrozen, reason: 'The model wants it.' }
    this.#compare({ status: 200 }, await askOperator(this.#service, freezeWallet, fields))
    person.isActive = !isFrozen
  }

  async #debit({ person: index, part }: Of<'debit'>) {
    const person = this.#person(index)
    const amount = Math.max(1, partOf(person.balance, part))
    const referenceId = randomUUID()
    const reference = { referenceType: 'ORDER', referenceId, amount: (amount / 100).toFixed(2) }
    const response = await this.#payer(person).askApp(0, debit, reference)
    this.#compare(this.#model.debit(person, amount, referenceId), response)
  }

  async #delete({ person: index, fault }: Of<'delete'>) {
    const person = this.#person(index)
    if (person.isDeleted) return
    const payer = this.#payer(person)
    const open = this.#model.openOf(person).length
    // With several, it matters which is first, and nobody sees that.
    const mayFail = open > 1 ? null : fault
    await this.#withFault(mayFail, [ROUTE.cancel, ROUTE.createIntent], async () => {
      const response = await payer.askAccount(deleteAccount, { password: payer.password })
      const isCanceled = (topup: Topup) =>
        this.#observer.hasIntent(topup) && this.#observer.intentOf(topup).status === 'canceled'
      this.#compare(this.#model.deletePerson(person, isCanceled), response)
    })
    payer.isDeleted = person.isDeleted
    if (person.isDeleted && open > 0) this.#hit('delete with open payments')
    if (person.isDeleted) this.#hit('delete')
  }

  async #reconcile({ creditsMissing }: Of<'reconcile'>) {
    const { tools } = this.#service
    const missing = this.#model.topups.filter(
      ({ intent, state }) => intent?.status === 'succeeded' && state !== 'credited',
    )
    const from = new Date(this.#startMs - HOUR_MS)
    const to = new Date(this.#model.nowMs + HOUR_MS)
    const report = await reconcile(
      { ...tools, reportedBy: 'command' },
      { from, to },
      { creditMissing: creditsMissing },
    )
    const differences = missing.map((topup) => this.#observer.intentId(topup)).toSorted()
    assert.deepEqual(report.differences.map(({ intentId }) => intentId).toSorted(), differences)
    if (!creditsMissing) return
    for (const topup of missing) this.#model.creditIfPaid(topup, 'command')
    if (missing.length > 0) this.#hit('reconcile credits missing payments')
  }

  async #look() {
    await compareViews(this.#sides())
  }

  readonly #handlers: Handlers = {
    create: (command) => this.#create(command),
    widgetCard: (command) => this.#payInWidget(command),
    pay: (command) => this.#pay(command),
    bankDecides: (command) => this.#bankDecides(command),
    confirm: (command) => this.#confirm(command),
    deliver: (command) => this.#deliver(command),
    race: (command) => this.#race(command),
    sweep: (command) => this.#sweep(command),
    pass: async ({ minutes }) => this.#pass(minutes * MINUTE_MS),
    passMonth: (command) => this.#passMonth(command),
    refund: (command) => this.#refund(command),
    processorRefund: (command) => this.#processorRefund(command),
    endRefund: (command) => this.#endRefund(command),
    dispute: (command) => this.#dispute(command),
    resolve: (command) => this.#resolve(command),
    removeCard: (command) => this.#changeCard(command),
    chooseCard: (command) => this.#changeCard(command),
    bank: (command) => this.#changeBank(command),
    automatic: (command) => this.#setAutomatic(command),
    automaticOff: (command) => this.#switchOff(command),
    reset: (command) => this.#reset(command),
    freeze: (command) => this.#freeze(command),
    debit: (command) => this.#debit(command),
    delete: (command) => this.#delete(command),
    reconcile: (command) => this.#reconcile(command),
    look: () => this.#look(),
  }

  /** The bank decides everything, and a day passes: then nothing is open, and everything that was paid is credited. */
  async #end() {
    for (const person of [0, 1]) await this.#execute({ do: 'automaticOff', person })
    const isProcessing = () =>
      this.#model.topups.some(({ intent }) => intent?.status === 'processing')
    while (isProcessing()) await this.#endProcessingAtBank()
    for (let round = 0; round < 8; round++) {
      await this.#execute({ do: 'sweep', isSlow: false, fault: null })
      if (this.#isQuiet()) break
      this.#pass(7 * HOUR_MS)
    }
    assert(this.#isQuiet(), 'something is still open after two days')
    await compareViews(this.#sides())
    await compareBooks(this.#sides())
    this.#countOutcomes()
  }

  #countOutcomes() {
    for (const { isAutomatic, state, reportedBy, failedMs } of this.#model.topups) {
      if (isAutomatic) this.#hit(`automatic top-up ${state}`)
      if (reportedBy) this.#hit(`reported by ${reportedBy}`)
      if (failedMs.length > 0) this.#hit(`top-up with a failed payment ${state}`)
    }
    for (const { debt, unclaimed, unclaimedTimes, entries } of this.#model.people) {
      if (debt > 0) this.#hit('debt')
      if (unclaimed > 0) this.#hit('unclaimed money')
      if (unclaimedTimes > 1) this.#hit('unclaimed money more than once')
      for (const { kind } of entries) this.#hit(`entry ${kind}`)
    }
  }

  async #endProcessingAtBank() {
    const topup = this.#model.topups.find(({ intent }) => intent?.status === 'processing')
    if (!topup?.intent) return
    this.#service.sandbox.endProcessing(this.#observer.intentId(topup))
    this.#keep(topup, this.#model.processor.endProcessing(topup.intent))
    await this.#observer.observe()
  }

  #isQuiet(): boolean {
    const { topups, events } = this.#model
    const isOpen = topups.some(
      ({ state, refunds }) =>
        state === 'open' || refunds.some((refund) => refund.state === 'reserved'),
    )
    return !isOpen && events.every(({ isKnown, isDone }) => isDone || !isKnown)
  }
}

function bankOf(card: CardName) {
  return card === 'asks' || card === 'declined' ? card : 'good'
}

function isWaiting(status: string): boolean {
  return status === 'processing' || status === 'requires_action'
}

function partOf(amount: number, part: Part): number {
  const half = Math.floor(amount / 2)
  return { all: amount, half, one: 1, over: amount + 1, zero: 0 }[part]
}
