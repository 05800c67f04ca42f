/** Parts that the login screens share. */
import { useForm } from '../../ui/use-form.ts'
import { explainRefusal } from '../explain-refusal.ts'
import { faultOfCode } from '../kit/form-parts.tsx'
import { usePage } from '../page-context.ts'

export interface SecondStepProps {
  ticket: string
  onDone: (recoveryCodes: string[] | undefined) => void
  startAgain: () => void
}

export function useCodeForm({ ticket, onDone }: Pick<SecondStepProps, 'ticket' | 'onDone'>) {
  const { call } = usePage()
  return useForm({
    check: ({ code }) => ({ code: faultOfCode(code) }),
    send: ({ code = '' }) => call('POST /api/admin/sign-in/code', { ticket, code: code.trim() }),
    explain: (result) => explainRefusal(result, ['code']),
    done: ({ recoveryCodes }) => onDone(recoveryCodes),
  })
}
