import { useId, useState } from 'preact/hooks'
import { explainAsText } from '../../ui/explain-refusal.ts'
import { Done, FormError } from '../../ui/notice.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { usePage, type SectionProps } from '../page-context.ts'
import * as styles from './settings.module.css'

/** The emails that can be switched off. Those about the security of the account cannot. */
export function EmailsPart({ account, reload }: SectionProps) {
  const { messages, call } = usePage()
  const id = useId()
  const [error, setError] = useState('')
  const [isDone, setIsDone] = useState(false)
  const [isBusy, change] = useBusy(async () => {
    setError('')
    setIsDone(false)
    const result = await call('POST /api/account/receipts', {
      wantsReceipts: !account.wantsReceipts,
    })
    if (result.ok) await reload()
    else setError(explainAsText(result, messages))
    setIsDone(result.ok)
  })
  return (
    <>
      <FormError text={error} />
      <p class={styles.check}>
        <input
          id={id}
          type="checkbox"
          checked={account.wantsReceipts}
          aria-busy={isBusy}
          onChange={(event) => {
            // Shows what is stored, also if the request fails.
            event.currentTarget.checked = account.wantsReceipts
            change()
          }}
        />
        <label for={id}>{messages.profile.receipts}</label>
      </p>
      {isDone && <Done text={messages.saved} />}
    </>
  )
}
