/** Saved cards in the widget. The person enters the password for each payment with a saved card. */
import { useEffect, useState } from 'preact/hooks'
import { TextButton } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import type { Result } from '../../../ui/request.ts'
import { CardList, nameSaved, type Card } from './card-list.tsx'
import { chosen } from './chosen.ts'
import type { SavedCardMessages } from './messages.ts'
import { PasswordDialog, type ListedCards } from './password-dialog.tsx'

interface SavedCardsOptions {
  messages: SavedCardMessages
  listCards: (password: string) => Promise<Result<ListedCards>>
}

/** `ChooseCard` is part of the form with the amount. `AskPassword` has its own form, so it is outside that form. */
export function createSavedCards({ messages, listCards }: SavedCardsOptions) {
  let openDialog = () => undefined as void
  let accept: (listed: ListedCards) => void = () => undefined

  function ChooseCard() {
    const [cards, setCards] = useState<Card[]>([])
    const [picked, setPicked] = useState<Card>()
    const [notice, setNotice] = useState('')
    function forget(text: string) {
      Object.assign(chosen, { choice: {}, ticket: undefined })
      setCards([])
      setPicked(undefined)
      setNotice(text)
    }
    useEffect(() => {
      accept = (listed) => {
        chosen.ticket = listed.ticket
        setCards(listed.cards)
        setPicked(listed.cards[0])
        setNotice(listed.cards.length > 0 ? '' : messages.password.none)
      }
      chosen.onNotPaid = () => forget(messages.password.again)
      return () => forget('')
    }, [])
    useEffect(() => {
      chosen.choice = picked ? { cardId: picked.id, name: nameSaved(messages, picked) } : {}
    }, [picked])
    // The button that opened the dialog is no longer there.
    useEffect(() => {
      document.querySelector<HTMLElement>('input[name="card"]:checked')?.focus()
    }, [cards])
    if (cards.length > 0) {
      return <CardList messages={messages} cards={cards} picked={picked} pick={setPicked} />
    }
    return (
      <>
        {notice && <Notice kind="info">{notice}</Notice>}
        {notice !== messages.password.none && (
          <TextButton onClick={() => openDialog()}>{messages.password.title}</TextButton>
        )}
      </>
    )
  }

  function AskPassword() {
    const [isOpen, setIsOpen] = useState(false)
    const close = () => setIsOpen(false)
    useEffect(() => {
      openDialog = () => setIsOpen(true)
    }, [])
    if (!isOpen) return null
    function finish(listed: ListedCards) {
      close()
      accept(listed)
    }
    return (
      <PasswordDialog messages={messages} listCards={listCards} onClose={close} onDone={finish} />
    )
  }

  return { ChooseCard, AskPassword }
}
