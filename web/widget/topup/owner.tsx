import type { WalletOwner } from '@coffer/contract/shapes'
import { TextPlaceholder } from '../../ui/placeholder.tsx'
import { OwnerName } from '../owner-name.tsx'
import { useTopup } from './context.ts'
import * as base from '../../ui/base.module.css'
import * as card from './card.module.css'

/** Whose wallet gets the money, shown before anybody pays: the link to this page may come from somebody else. */
export function Owner({ owner }: { owner: WalletOwner | undefined }) {
  const { messages } = useTopup()
  return (
    <p class={card.topupOwner}>
      <span class={base.muted}>{messages.owner}</span>
      {owner ? <OwnerName owner={owner} /> : <TextPlaceholder length={24} />}
    </p>
  )
}
