/** What every form does: check the values, send them once, show errors and focus the first wrong field. */
import type { TargetedEvent, TargetedSubmitEvent } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Result } from './request.ts'

/** Error messages by field name; `form` is for an error of the whole form. */
export type FormErrors = Partial<Record<string, string>>

export interface Explanation {
  errors: FormErrors
  /** The errors are removed after this time. */
  clearAfterSeconds?: number | undefined
}

interface FormOptions<Output> {
  check?: (values: Record<string, string>) => FormErrors
  send: (values: Record<string, string>) => Promise<Result<Output>>
  explain: (result: Extract<Result<Output>, { ok: false }>) => Explanation
  done: (response: Output) => void
}

export type Form = ReturnType<typeof useForm>

export function useForm<Output>({ check, send, explain, done }: FormOptions<Output>) {
  const ref = useRef<HTMLFormElement>(null)
  const [isBusy, setIsBusy] = useState(false)
  const [errors, setErrors] = useState<FormErrors>({})
  const [explanation, setExplanation] = useState<Explanation>({ errors: {} })

  useEffect(() => {
    ref.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    const { clearAfterSeconds } = explanation
    if (clearAfterSeconds === undefined) return
    const timer = setTimeout(() => setErrors({}), clearAfterSeconds * 1000)
    return () => clearTimeout(timer)
  }, [explanation])

  function show(next: Explanation) {
    setExplanation(next)
    setErrors(next.errors)
  }

  /** A field that is being changed no longer shows its error. */
  function clearError(event: TargetedEvent<HTMLFormElement, InputEvent>) {
    const { name } = event.target as HTMLInputElement
    if (errors[name]) setErrors({ ...errors, [name]: '' })
  }

  async function submit(event: TargetedSubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isBusy) return
    const values = readValues(event.currentTarget)
    const wrong = check?.(values) ?? {}
    show({ errors: wrong })
    if (Object.values(wrong).some(Boolean)) return
    setIsBusy(true)
    const result = await send(values)
    setIsBusy(false)
    if (result.ok) done(result.data)
    else show(explain(result))
  }

  return {
    errors,
    isBusy,
    formProps: { ref, noValidate: true, onInput: clearError, onSubmit: submit },
  }
}

/** No form has a file field, so every value is a string. */
function readValues(form: HTMLFormElement) {
  return Object.fromEntries(new FormData(form)) as Record<string, string>
}

/** A rough check; the server decides. */
export function isEmail(text: string | undefined): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text ?? '')
}

/** A code from an email: 6 digits. */
export function isCode(text: string | undefined): boolean {
  return /^\d{6}$/.test(text ?? '')
}
