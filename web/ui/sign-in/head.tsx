import type { ComponentChildren } from 'preact'
import { WalletIcon } from '../icons.tsx'
import './sign-in.css'

export interface SignInHeadProps {
  title: string
  /** null shows none. */
  icon?: ComponentChildren
  children: ComponentChildren
}

export function SignInHead({ title, icon = <WalletIcon />, children }: SignInHeadProps) {
  return (
    <header class="sign-in-head">
      {icon && <span class="sign-in-mark">{icon}</span>}
      <h1 tabIndex={-1}>{title}</h1>
      <p class="muted">{children}</p>
    </header>
  )
}
