/** What every form does: check, send once, show what is wrong and take the person there. */
import type { TargetedEvent, TargetedSubmitEvent } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Result } from './request.ts'

/** By the field's name; `form` is what belongs to no field. */
export type Faults = Partial<Record<string, string>>

export interface Explanation {
  faults: Faults
  /** The text stops being true after so long. */
  forgetAfterSeconds?: number | undefined
}

interface FormPlan<Answer> {
  check?: (values: Record<string, string>) => Faults
  send: (values: Record<string, string>) => Promise<Result<Answer>>
  explain: (result: Extract<Result<Answer>, { ok: false }>) => Explanation
  done: (answer: Answer) => void
}

export function useForm<Answer>({ check, send, explain, done }: FormPlan<Answer>) {
  const ref = useRef<HTMLFormElement>(null)
  const [isBusy, setIsBusy] = useState(false)
  const [faults, setFaults] = useState<Faults>({})
  const [explanation, setExplanation] = useState<Explanation>({ faults: {} })

  useEffect(() => {
    ref.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    const { forgetAfterSeconds } = explanation
    if (forgetAfterSeconds === undefined) return
    const timer = setTimeout(() => setFaults({}), forgetAfterSeconds * 1000)
    return () => clearTimeout(timer)
  }, [explanation])

  function show(next: Explanation) {
    setExplanation(next)
    setFaults(next.faults)
  }

  /** What is being mended is not wrong any more. */
  function forgive(event: TargetedEvent<HTMLFormElement, InputEvent>) {
    const { name } = event.target as HTMLInputElement
    if (faults[name]) setFaults({ ...faults, [name]: '' })
  }

  async function submit(event: TargetedSubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isBusy) return
    const values = readValues(event.currentTarget)
    const wrong = check?.(values) ?? {}
    show({ faults: wrong })
    if (Object.values(wrong).some(Boolean)) return
    setIsBusy(true)
    const result = await send(values)
    setIsBusy(false)
    if (result.ok) done(result.data)
    else show(explain(result))
  }

  return {
    faults,
    isBusy,
    formProps: { ref, noValidate: true, onInput: forgive, onSubmit: submit },
  }
}

function readValues(form: HTMLFormElement): Record<string, string> {
  const entries = [...new FormData(form)]
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'string' ? value : '']),
  )
}

/** Roughly what the contract asks; the server has the last word. */
export function isEmail(text: string | undefined): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text ?? '')
}
