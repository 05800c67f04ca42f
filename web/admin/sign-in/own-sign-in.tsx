/** The operator's own sign-in settings: password, passkeys, recovery codes and active logins. */
import { useContext } from 'preact/hooks'
import { TextPlaceholder } from '../../ui/placeholder.tsx'
import { ReadFailed } from '../kit/list-parts.tsx'
import { words } from '../messages.ts'
import { OperatorContext } from '../operator-context.ts'
import { usePage } from '../page-context.ts'
import { OwnLogIns } from './log-ins.tsx'
import { OwnPassword } from './password.tsx'
import { Passkeys } from './passkeys.tsx'
import { RenewCodes } from './renew-recovery.tsx'
import './own-sign-in.css'
import { useRead } from '../kit/use-read.ts'

/** `reloadMe` updates the frame too, because it shows data of the operator. */
export function Self({ reloadMe }: { reloadMe: () => Promise<void> }) {
  const { calls } = usePage()
  const me = useContext(OperatorContext)
  const { answer, refusal, reload } = useRead('sign-in', calls.readSignIn)
  const reloadAll = async () => void (await Promise.all([reload(), reloadMe()]))
  return (
    <div class="section self">
      <div class="app-title">
        <h1 class="section-title" tabIndex={-1}>
          {words.self.title}
        </h1>
        <p class="self-about">
          <span class="row-name" dir="auto">
            {me.name}
          </span>
          <span class="muted">{words.self.about(me.email, words.roles[me.role])}</span>
        </p>
      </div>
      {refusal && <ReadFailed retry={reload} />}
      {!answer && !refusal && <SelfPlaceholder />}
      {answer && (
        <div class="part-stack">
          <OwnPassword reload={reloadAll} />
          <Passkeys passkeys={answer.passkeys} reload={reloadAll} />
          <RenewCodes left={answer.recoveryCodesLeft} reload={reload} />
          <OwnLogIns logIns={answer.logIns} reload={reload} />
        </div>
      )}
    </div>
  )
}

function SelfPlaceholder() {
  return (
    <div class="form" aria-busy="true">
      <span class="visually-hidden">{words.loading}</span>
      {[12, 40, 18, 40, 16, 40].map((length, at) => (
        <p key={at} aria-hidden="true">
          <TextPlaceholder length={length} />
        </p>
      ))}
    </div>
  )
}
