/** Log-in, and the way back in for those who forgot their password. */
import { useState } from 'preact/hooks'
import { useHeadingFocus } from '../../ui/use-heading-focus.ts'
import { ForgotPassword } from './forgot.tsx'
import { LogIn } from './log-in.tsx'
import { ResetPassword } from './reset.tsx'

type Screen = { name: 'logIn' } | { name: 'forgot' } | { name: 'reset'; ticket: string }

interface DoorProps {
  notice: string | undefined
  enter: () => Promise<void>
}

export function Door({ notice, enter }: DoorProps) {
  const [screen, setScreen] = useState<Screen>({ name: 'logIn' })
  const [email, setEmail] = useState('')
  useHeadingFocus(screen.name)

  const shared = { email, setEmail, enter }
  const toLogIn = () => setScreen({ name: 'logIn' })
  const toReset = (ticket: string) => setScreen({ name: 'reset', ticket })
  return (
    <main class="door">
      {screen.name === 'logIn' && (
        <LogIn {...shared} notice={notice} toForgot={() => setScreen({ name: 'forgot' })} />
      )}
      {screen.name === 'forgot' && (
        <ForgotPassword {...shared} toReset={toReset} toLogIn={toLogIn} />
      )}
      {screen.name === 'reset' && (
        <ResetPassword {...shared} ticket={screen.ticket} toReset={toReset} toLogIn={toLogIn} />
      )}
    </main>
  )
}
