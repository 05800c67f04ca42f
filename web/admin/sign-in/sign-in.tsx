/** The way in: a passkey; or password, then a code. The first time, the authenticator is set up between the two. */
import { useState } from 'preact/hooks'
import { useHeadingFocus } from '../../ui/use-heading-focus.ts'
import { Brand } from '../brand.tsx'
import type { LogInStep } from '../calls.ts'
import { EnterCode } from './code.tsx'
import { Enroll } from './enroll.tsx'
import { LogIn } from './log-in.tsx'
import { PasskeyLogIn } from './log-in-by-passkey.tsx'
import { RecoveryCodes } from './recovery.tsx'

type Screen =
  | { name: 'logIn' }
  | { name: 'code'; ticket: string }
  | { name: 'enroll'; ticket: string; totpUri: string }
  | { name: 'recovery'; codes: string[] }

interface DoorProps {
  notice: string | undefined
  enter: () => Promise<void>
}

export function Door({ notice, enter }: DoorProps) {
  const [screen, setScreen] = useState<Screen>({ name: 'logIn' })
  const [email, setEmail] = useState('')
  useHeadingFocus(screen.name)

  function goOn({ step, ticket, totpUri = '' }: LogInStep) {
    setScreen(step === 'code' ? { name: 'code', ticket } : { name: 'enroll', ticket, totpUri })
  }
  function finish(codes: string[] | undefined) {
    if (codes) setScreen({ name: 'recovery', codes })
    else void enter()
  }
  const again = () => setScreen({ name: 'logIn' })
  return (
    <div class="door">
      <header class="door-brand">
        <Brand />
      </header>
      <main class="door-card">
        {screen.name === 'logIn' && (
          <>
            <LogIn email={email} setEmail={setEmail} notice={notice} onDone={goOn} />
            <PasskeyLogIn enter={enter} />
          </>
        )}
        {screen.name === 'code' && (
          <EnterCode ticket={screen.ticket} onDone={finish} startAgain={again} />
        )}
        {screen.name === 'enroll' && (
          <Enroll
            ticket={screen.ticket}
            totpUri={screen.totpUri}
            onDone={finish}
            startAgain={again}
          />
        )}
        {screen.name === 'recovery' && <RecoveryCodes codes={screen.codes} onDone={enter} />}
      </main>
    </div>
  )
}
