/** In the widget: a saved card pays after the person has entered the password, once. */
import { useEffect, useState } from 'preact/hooks'
import { TextButton } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import type { Result } from '../../../ui/request.ts'
import { CardList, nameSaved, type Card } from './card-list.tsx'
import { chosen } from './chosen.ts'
import type { CardTexts } from './messages.ts'
import { ProveDialog, type Proof } from './prove-dialog.tsx'

interface SavedCardsOptions {
  texts: CardTexts
  prove: (password: string) => Promise<Result<Proof>>
}

/** `ChooseCard` is a part of the form with the amount. `Prove` has a form of its own, so it must be beside that form. */
export function createSavedCards({ texts, prove }: SavedCardsOptions) {
  let openDialog = () => undefined as void
  let accept: (proof: Proof) => void = () => undefined

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
      accept = (proof) => {
        chosen.ticket = proof.ticket
        setCards(proof.cards)
        setPicked(proof.cards[0])
        setNotice(proof.cards.length > 0 ? '' : texts.prove.none)
      }
      chosen.onLost = () => forget(texts.prove.again)
      return () => forget('')
    }, [])
    useEffect(() => {
      chosen.choice = picked ? { cardId: picked.id, name: nameSaved(texts, picked) } : {}
    }, [picked])
    // The button that opened the dialog is no longer there.
    useEffect(() => {
      document.querySelector<HTMLElement>('input[name="card"]:checked')?.focus()
    }, [cards])
    if (cards.length > 0) {
      return <CardList texts={texts} cards={cards} picked={picked} pick={setPicked} />
    }
    return (
      <>
        {notice && <Notice kind="info">{notice}</Notice>}
        {notice !== texts.prove.none && (
          <TextButton onClick={() => openDialog()}>{texts.prove.title}</TextButton>
        )}
      </>
    )
  }

  function Prove() {
    const [isOpen, setIsOpen] = useState(false)
    const close = () => setIsOpen(false)
    useEffect(() => {
      openDialog = () => setIsOpen(true)
    }, [])
    if (!isOpen) return null
    function finish(proof: Proof) {
      close()
      accept(proof)
    }
    return <ProveDialog texts={texts} prove={prove} onClose={close} onDone={finish} />
  }

  return { ChooseCard, Prove }
}
