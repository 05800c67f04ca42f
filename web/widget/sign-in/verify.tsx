import { CodeForm } from '../../ui/sign-in/code-form.tsx'
import { call } from '../calls.ts'
import { usePage } from '../page-context.ts'
import type { FirstRequest, ScreenProps } from './screen-props.ts'

interface VerifyEmailProps extends ScreenProps {
  ticket: string
  first: FirstRequest
}

export function VerifyEmail({ ticket, first, follow, toLogIn }: VerifyEmailProps) {
  const { messages } = usePage()
  return (
    <CodeForm
      messages={messages}
      email={first.email}
      send={(code) => call('POST /api/widget/auth/verify', { ticket, code })}
      done={follow}
      resend={first.send}
      onResent={follow}
      back={() => toLogIn()}
    />
  )
}
