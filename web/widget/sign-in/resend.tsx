/** A code did not come: ask for another, or go back. */
import type { AuthStep } from '@coffer/contract/widget-api'
import { useState } from 'preact/hooks'
import { TextButton } from '../../ui/button.tsx'
import type { Result } from '../../ui/request.ts'
import { useBusy } from '../../ui/use-busy.ts'
import { explainRefusal } from '../explain-refusal.ts'
import { usePage } from '../page-context.ts'

interface ResendProps {
  ask: () => Promise<Result<AuthStep>>
  done: (step: AuthStep) => void
  back: () => void
}

export function Resend({ ask, done, back }: ResendProps) {
  const { words } = usePage()
  const [news, setNews] = useState('')
  const [isBusy, resend] = useBusy(async () => {
    setNews('')
    const result = await ask()
    if (result.ok) done(result.data)
    setNews(
      result.ok
        ? words.verify.resent
        : Object.values(explainRefusal(result, words).faults).join(' '),
    )
  })
  return (
    <div class="auth-resend">
      <p class="auth-small muted" role="status">
        {news || words.verify.spam}
      </p>
      <div class="auth-links">
        <TextButton isBusy={isBusy} onClick={resend}>
          {words.verify.resend}
        </TextButton>
        <TextButton onClick={back}>{words.verify.back}</TextButton>
      </div>
    </div>
  )
}
