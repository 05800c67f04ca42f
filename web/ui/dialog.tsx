/** A modal dialog. The browser keeps the focus inside and restores it afterwards. */
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Button } from './button.tsx'
import * as styles from './dialog.module.css'

interface DialogProps {
  title: string
  /** While true, the dialog cannot be closed. */
  isBusy: boolean
  /** The action deletes or stops something: its button is red. */
  isDestructive?: boolean
  onClose: () => void
  children: ComponentChildren
}

export function Dialog({ title, isBusy, isDestructive = false, onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => ref.current?.showModal(), [])
  return (
    <dialog
      class={isDestructive ? `${styles.dialog} ${styles.destructive}` : styles.dialog}
      ref={ref}
      aria-labelledby={titleId}
      onCancel={(event) => isBusy && event.preventDefault()}
      onClose={onClose}
    >
      <h2 id={titleId}>{title}</h2>
      {children}
    </dialog>
  )
}

interface DialogActionsProps {
  cancel: string
  submit: string
  isBusy: boolean
  /** If undefined, the button submits the surrounding form. */
  onSubmit?: () => void
}

/** The harmless button comes first and has the focus. */
export function DialogActions({ cancel, submit, isBusy, onSubmit }: DialogActionsProps) {
  const ref = useRef<HTMLDivElement>(null)
  const close = () => !isBusy && ref.current?.closest('dialog')?.close()
  return (
    <div class={styles.actions} ref={ref}>
      <Button kind="secondary" onClick={close}>
        {cancel}
      </Button>
      <Button
        type={onSubmit ? 'button' : 'submit'}
        isBusy={isBusy}
        {...(onSubmit && { onClick: onSubmit })}
      >
        {submit}
      </Button>
    </div>
  )
}
