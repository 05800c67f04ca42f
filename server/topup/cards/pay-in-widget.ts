/**
 * Saved cards in the widget. The client app creates the session, so the session alone must never charge a card: the
 * person enters the password, and the ticket that they get for it pays once.
 */
import type { Context } from '../../context.ts'
import { one } from '../../database/statement.ts'
import { limitLogIns } from '../../identity/limit-attempts.ts'
import { logIn } from '../../identity/log-in.ts'
import { findPerson } from '../../identity/queries.ts'
import type { Caller } from '../../identity/queue-fairly.ts'
import { issueTicket, redeemTicket } from '../../identity/ticket.ts'
import { ServiceError } from '../../service-error.ts'
import type { Session } from '../../widget/require-session.ts'
import { createIntent } from '../create-intent.ts'
import { limitStripeCalls } from '../limit-stripe-calls.ts'
import { callerOf } from '../record-topup.ts'
import type { PageTools } from '../topup-tools.ts'
import { chooseCard } from './choose-card.ts'
import { listCards, showCard } from './list-cards.ts'

/** The password is that of the person whom the session belongs to; attempts count like those of a login. */
export async function listWidgetCards(
  tools: PageTools & Pick<Context, 'passwords'>,
  session: Session,
  password: string,
  caller: Caller,
) {
  const { db } = tools
  await limitLogIns(tools, 'person', caller)
  const person = await one(db, findPerson(session.userId))
  if (person === undefined) throw new ServiceError('SESSION_EXPIRED')
  const { passwordHash } = await logIn(tools, { email: person.email, password }, caller)
  await limitStripeCalls(tools, callerOf(session))
  const cards = await listCards(tools, session.userId)
  const ticket = await issueTicket(db, {
    purpose: 'saved_card',
    clientAppId: session.clientApp.id,
    userId: session.userId,
    passwordHash,
  })
  return { ticket, cards: cards.map(showCard) }
}

/** The ticket is used up before the processor is called: whatever happens then, it has paid at most once. */
export function createCardIntent(
  tools: PageTools,
  session: Session,
  { ticket, cardId, amount }: { ticket: string; cardId: string; amount: string },
) {
  return createIntent(tools, session, amount, async () => {
    const proof = await redeemTicket(tools.db, ticket, 'saved_card')
    const isOwn = proof?.userId === session.userId && proof.clientAppId === session.clientApp.id
    if (!isOwn) throw new ServiceError('LOGIN_REQUIRED')
    return chooseCard(tools, session.userId, { cardId })
  })
}
