/** The form of a new or existing client app, including the question whether to share an iframe parent. */
import { useRef, useState } from 'preact/hooks'
import type { Result } from '../../ui/request.ts'
import { useForm } from '../../ui/use-form.ts'
import { type AppDraft, checkDraft, DRAFT_FIELDS } from './draft.ts'
import { explainRefusal } from '../explain-refusal.ts'

interface AppFormPlan<Output> {
  initial: () => AppDraft
  send: (draft: AppDraft, sharing: { sharesParents?: true }) => Promise<Result<Output>>
  done: (response: Output) => void
}

export function useAppForm<Output>({ initial, send, done }: AppFormPlan<Output>) {
  const [draft, setDraft] = useState(initial)
  const [isTaken, setIsTaken] = useState(false)
  const shares = useRef(false)
  const form = useForm({
    check: () => checkDraft(draft),
    send() {
      const sharing = shares.current ? ({ sharesParents: true } as const) : {}
      shares.current = false
      setIsTaken(false)
      return send(draft, sharing)
    },
    explain(result) {
      const taken = !result.offline && result.code === 'ORIGIN_TAKEN'
      setIsTaken(taken)
      return taken ? { errors: {} } : explainRefusal(result, DRAFT_FIELDS)
    },
    done,
  })
  return {
    ...form,
    draft,
    setDraft,
    isTaken,
    change: (part: Partial<AppDraft>) => {
      setIsTaken(false)
      setDraft((now) => ({ ...now, ...part }))
    },
    shareParents: () => {
      shares.current = true
      form.formProps.ref.current?.requestSubmit()
    },
  }
}
