import type { ComponentChildren } from 'preact'
import { Spinner } from './placeholder.tsx'
import * as styles from './button.module.css'

interface ButtonProps {
  children: ComponentChildren
  kind?: 'primary' | 'secondary'
  type?: 'button' | 'submit'
  isBusy?: boolean
  isDisabled?: boolean
  describedBy?: string | undefined
  onClick?: () => void
}

/** A busy button stays focusable and keeps its name, so keyboard and screen reader users keep their place. */
export function Button(props: ButtonProps) {
  const { kind = 'primary', type = 'button', isBusy = false, isDisabled = false } = props
  return (
    <button
      class={`${styles.button} ${kind === 'primary' ? styles.primary : styles.secondary}`}
      type={type}
      disabled={isDisabled}
      aria-busy={isBusy}
      aria-disabled={isBusy || undefined}
      aria-describedby={props.describedBy}
      onClick={() => !isBusy && props.onClick?.()}
    >
      <span class={styles.label}>{props.children}</span>
      {isBusy && <Spinner />}
    </button>
  )
}

interface TextButtonProps {
  children: ComponentChildren
  isBusy?: boolean
  onClick: () => void
}

export function TextButton({ children, isBusy = false, onClick }: TextButtonProps) {
  return (
    <button
      class={styles.textButton}
      type="button"
      aria-busy={isBusy}
      aria-disabled={isBusy || undefined}
      onClick={() => !isBusy && onClick()}
    >
      {children}
      {isBusy && <Spinner />}
    </button>
  )
}

/** Opens a new window without access to this one. */
export function WindowLink({ href, children }: { href: string; children: ComponentChildren }) {
  return (
    <a class={styles.textButton} href={href} target="_blank" rel="noopener">
      {children}
    </a>
  )
}
