import { CheckIcon } from '../../ui/icons.tsx'
import { usePage } from '../page-context.ts'
import * as signIn from '../../ui/sign-in/sign-in.module.css'

/** What the app can do once it is connected. */
export function ConsentList({ title }: { title?: string }) {
  const { canSee, canCharge } = usePage().messages.consent
  return (
    <>
      {title && <p>{title}</p>}
      <ul class={signIn.list}>
        {[canSee, canCharge].map((text) => (
          <li key={text}>
            <CheckIcon />
            {text}
          </li>
        ))}
      </ul>
    </>
  )
}
