import type { PlantedBug } from './planted-bug.ts'

const CARDS_TEST = 'server/topup/cards/saved-cards.test.ts'
const WIDGET_TEST = 'server/topup/cards/pay-in-widget.test.ts'
const AUTOMATIC_TEST = 'server/topup/automatic/automatic-topup.test.ts'

export const CARD_BUGS: readonly PlantedBug[] = [
  {
    name: 'a card that was saved twice can still be charged after its removal',
    file: 'server/topup/cards/change-cards.ts',
    find: 'for (const id of card.ids) {',
    replace: 'for (const id of [card.id]) {',
    test: CARDS_TEST,
    title: '200 lists a card once that was saved twice, and removes both',
  },
  {
    name: 'the cards of a deleted person stay at the processor after an outage',
    file: 'server/topup/cards/erase-customers.ts',
    find: '.catch(ignoreDeleted)',
    replace: '.catch((error: unknown) => error instanceof Error || ignoreDeleted(error))',
    test: 'server/topup/cards/card-safety.test.ts',
    title: 'deletes the saved cards at the processor, also after it was down',
  },
  {
    name: 'a removed card leaves an open top-up behind',
    file: 'server/topup/create-intent.ts',
    find: 'if (!topup.isAutomatic) await run(db, endTopup(topup.id))',
    replace: 'if (topup.isAutomatic) await run(db, endTopup(topup.id))',
    test: CARDS_TEST,
    title: '404 CARD_NOT_FOUND if the card is removed at the same moment; the top-up ends',
  },
  {
    name: 'automatic top-up counts only the largest charge of the month',
    file: 'server/topup/automatic/queries.ts',
    find: 'coalesce(sum(t.amount), 0)',
    replace: 'coalesce(max(t.amount), 0)',
    test: AUTOMATIC_TEST,
    title: 'never above the limit of the month; open payments count, failed ones do not',
  },
  {
    name: 'a charge in doubt is repeated although the person has switched it off',
    file: 'server/topup/automatic/charge-topup.ts',
    find: 'topup.isOld || !(await isWanted(tools, topup))',
    replace: 'topup.isOld && !(await isWanted(tools, topup))',
    test: 'server/topup/automatic/charge-topup.test.ts',
    title: 'charges nothing if it is switched off before the charge',
  },
  {
    name: 'a charge in doubt is repeated although the balance is high enough now',
    file: 'server/topup/automatic/queries.ts',
    find: 'and ${MONTH_TOTAL} <= a.month_max and ${IS_LOW}`',
    replace: 'and ${MONTH_TOTAL} <= a.month_max`',
    test: 'server/topup/automatic/charge-topup.test.ts',
    title: 'charges nothing if the balance is no longer below the threshold before the charge',
  },
  {
    name: 'a charge that the bank wants to confirm counts as a decline',
    file: 'server/topup/automatic/end-automatic.ts',
    find: "error?.code === 'authentication_required'",
    replace: "error?.code === 'authentication'",
    test: AUTOMATIC_TEST,
    title: 'pauses with one email if the bank asks for the card holder',
  },
  {
    name: 'declines before a success count',
    file: 'server/topup/settle.ts',
    find: 'if (changed === 1 && topup.isAutomatic) await',
    replace: 'if (changed === 0 && topup.isAutomatic) await',
    test: AUTOMATIC_TEST,
    title: 'a success between declines starts the count again',
  },
  {
    name: 'the proof for one client app lets another one charge the card',
    file: 'server/topup/cards/pay-in-widget.ts',
    find: 'proof?.serviceUserId === session.userId && proof.clientAppId === session.clientApp.id',
    replace: 'proof?.serviceUserId === session.userId',
    test: WIDGET_TEST,
    title: '401 LOGIN_REQUIRED with the ticket of another person or for another app',
  },
]
