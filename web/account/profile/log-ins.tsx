import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { Done, FormError } from '../../ui/notice.tsx'
import type { Account } from '../calls.ts'
import { explainAsText } from '../../ui/explain-refusal.ts'
import { ButtonLabel } from '../form-parts.tsx'
import { DeviceIcon } from '../icons.tsx'
import { usePage, type SectionProps } from '../page-context.ts'
import * as base from '../../ui/base.module.css'
import * as entryList from '../history/entries.module.css'
import * as styles from './settings.module.css'

type LogIn = Account['logIns'][number]

export function LogInsPart({ account, reload }: SectionProps) {
  const { messages } = usePage()
  const [done, setDone] = useState('')
  const [error, setError] = useState('')
  const ordered = account.logIns.toSorted((a, b) => Number(b.isThis) - Number(a.isThis))
  return (
    <>
      <FormError text={error} />
      {done && <Done text={done} takesFocus />}
      <ul class={styles.cards}>
        {ordered.map((logIn) => (
          <Device
            key={logIn.id}
            logIn={logIn}
            onError={setError}
            onEnded={async () => {
              await reload()
              setDone(messages.profile.ended(messages.profile.device(logIn.device)))
            }}
          />
        ))}
      </ul>
    </>
  )
}

interface DeviceProps {
  logIn: LogIn
  onError: (text: string) => void
  onEnded: () => Promise<void>
}

function Device({ logIn, onError, onEnded }: DeviceProps) {
  const { messages, call, date } = usePage()
  const device = messages.profile.device(logIn.device)
  const [isBusy, end] = useBusy(async () => {
    onError('')
    const result = await call('POST /api/account/log-ins/end', { id: logIn.id })
    if (result.ok) await onEnded()
    else onError(explainAsText(result, messages))
  })
  return (
    <li class={styles.card}>
      <span class={entryList.entryIcon}>
        <DeviceIcon />
      </span>
      <div class={styles.cardText}>
        <p class={styles.cardName}>{device}</p>
        <p class={base.muted}>
          {logIn.isThis
            ? messages.profile.thisDevice
            : messages.profile.lastSeen(date(logIn.lastSeenAt))}
        </p>
      </div>
      {!logIn.isThis && (
        <Button kind="secondary" isBusy={isBusy} onClick={end}>
          <ButtonLabel short={messages.profile.end} full={messages.profile.endNamed(device)} />
        </Button>
      )}
    </li>
  )
}
