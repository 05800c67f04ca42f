import { CodeForm } from '../../ui/sign-in/code-form.tsx'
import { calls, type SignUpInput } from '../calls.ts'
import { usePage } from '../page-context.ts'
import type { ScreenProps } from './screen-props.ts'

interface VerifyEmailProps extends ScreenProps {
  ticket: string
  input: SignUpInput
}

export function VerifyEmail({ ticket, input, follow, toLogIn }: VerifyEmailProps) {
  const { words } = usePage()
  return (
    <CodeForm
      words={words}
      texts={words.verify}
      email={input.email}
      send={(code) => calls.verify({ ticket, code })}
      done={(step) => follow(step, input)}
      resend={() => calls.signUp(input)}
      onResent={(step) => follow(step, input)}
      back={() => toLogIn()}
    />
  )
}
