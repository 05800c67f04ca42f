/** A question that stands in the way until it is answered. The browser keeps the focus inside and gives it back. */
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Button } from './button.tsx'
import './dialog.css'

interface DialogProps {
  title: string
  /** While something is under way the dialog stays. */
  isBusy: boolean
  /** What it offers takes something away. */
  isDanger?: boolean
  onClose: () => void
  children: ComponentChildren
}

export function Dialog({ title, isBusy, isDanger = false, onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => ref.current?.showModal(), [])
  return (
    <dialog
      class={isDanger ? 'dialog danger' : 'dialog'}
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

interface AnswersProps {
  cancel: string
  submit: string
  isBusy: boolean
  /** undefined: the form around it is sent. */
  onSubmit?: () => void
}

/** The harmless answer comes first and has the focus. */
export function Answers({ cancel, submit, isBusy, onSubmit }: AnswersProps) {
  const ref = useRef<HTMLDivElement>(null)
  const close = () => !isBusy && ref.current?.closest('dialog')?.close()
  return (
    <div class="answers" ref={ref}>
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
