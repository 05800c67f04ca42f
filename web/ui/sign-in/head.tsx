import type { ComponentChildren } from 'preact'
import { WalletIcon } from '../icons.tsx'
import * as base from '../base.module.css'
import * as styles from './sign-in.module.css'

export interface SignInHeadProps {
  title: string
  /** null shows none. */
  icon?: ComponentChildren
  children: ComponentChildren
}

export function SignInHead({ title, icon = <WalletIcon />, children }: SignInHeadProps) {
  return (
    <header class={styles.head}>
      {icon && <span class={styles.mark}>{icon}</span>}
      <h1 tabIndex={-1}>{title}</h1>
      <p class={base.muted}>{children}</p>
    </header>
  )
}
