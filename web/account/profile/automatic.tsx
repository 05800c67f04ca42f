import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Done, FormError, Notice } from '../../ui/notice.tsx'
import { explainAsText } from '../../ui/explain-refusal.ts'
import { TextPlaceholder } from '../../ui/placeholder.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { usePage } from '../page-context.ts'
import { AutomaticDialog } from './automatic-dialog.tsx'
import { useCardName, type Cards } from './use-cards.ts'
import * as base from '../../ui/base.module.css'
import * as styles from './settings.module.css'

interface AutomaticPartProps extends Cards {
  email: string
}

export function AutomaticPart({ cards, automatic, reload, email }: AutomaticPartProps) {
  const { messages, call, money } = usePage()
  const nameCard = useCardName()
  const [isOpen, setIsOpen] = useState(false)
  const [done, setDone] = useState('')
  const [error, setError] = useState('')
  const [isBusy, end] = useBusy(async () => {
    setError('')
    const result = await call('POST /api/account/automatic-topup/off')
    if (result.ok) await finish(messages.cards.autoEnded)
    else setError(explainAsText(result, messages))
  })
  async function finish(text: string) {
    await reload()
    setIsOpen(false)
    setDone(text)
  }
  if (cards === undefined || automatic === undefined) return <TextPlaceholder length={24} />
  if (cards === null || automatic === null)
    return <Notice kind="warning">{messages.cards.unread}</Notice>
  const { automaticTopup: terms, currency } = automatic
  const show = (amount: number) => money.plain(amount, currency)
  const [brand = '', last4 = ''] = terms?.cardName.split(' ') ?? []
  return (
    <>
      {done && <Done key={done} text={done} takesFocus />}
      <FormError text={error} />
      {terms ? (
        <p>
          {messages.cards.autoTerms(
            show(terms.threshold),
            show(terms.amount),
            show(terms.monthMax),
            nameCard({ brand, last4 }),
          )}
        </p>
      ) : (
        !done && <p class={base.muted}>{messages.cards.autoOff}</p>
      )}
      {terms?.suspendedFor && (
        <Notice kind="warning">{messages.cards.suspended[terms.suspendedFor]}</Notice>
      )}
      {cards.length === 0 && <p class={base.muted}>{messages.cards.autoNeedsCard}</p>}
      <div class={styles.formEnd}>
        {cards.length > 0 && (
          <Button kind="secondary" onClick={() => setIsOpen(true)}>
            {terms ? messages.cards.autoChange : messages.cards.autoSetUp}
          </Button>
        )}
        {terms && (
          <Button kind="secondary" isBusy={isBusy} onClick={end}>
            {messages.cards.autoEnd}
          </Button>
        )}
      </div>
      {isOpen && (
        <AutomaticDialog
          automatic={automatic}
          cards={cards}
          email={email}
          onClose={() => setIsOpen(false)}
          onDone={() => finish(messages.cards.autoSaved)}
        />
      )}
    </>
  )
}
