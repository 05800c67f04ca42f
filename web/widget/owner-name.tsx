import type { WalletOwner } from '@coffer/contract/shapes'
import * as styles from './owner-name.module.css'

/** The name is free text, so it is isolated and cannot reorder the email address behind it. */
export function OwnerName({ owner }: { owner: WalletOwner }) {
  return (
    <span class={styles.owner}>
      <bdi class={styles.name}>{`${owner.firstName} ${owner.lastName}`}</bdi>
      {' · '}
      <bdi class={styles.email}>{owner.maskedEmail}</bdi>
    </span>
  )
}
