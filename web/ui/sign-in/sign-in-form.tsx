import type { ComponentChildren } from 'preact'
import { Button } from '../button.tsx'
import { FormError } from '../notice.tsx'
import type { Form } from '../use-form.ts'
import { WalletIcon } from '../icons.tsx'
import * as base from '../base.module.css'
import * as styles from './sign-in.module.css'

interface SignInHeadProps {
  title: string
  /** null shows none. */
  icon?: ComponentChildren
  children: ComponentChildren
}

export function SignInHead({ title, icon = <WalletIcon />, children }: SignInHeadProps) {
  return (
    <header class={styles.head}>
      {icon && <span class={styles.mark}>{icon}</span>}
      <h1 tabIndex={-1}>{title}</h1>
      <p class={base.muted}>{children}</p>
    </header>
  )
}

interface SignInFormProps extends Omit<SignInHeadProps, 'children'> {
  form: Form
  lead: ComponentChildren
  /** The id of the text about the whole form. */
  errorId?: string
  submit: string
  /** Shown below the button. */
  end?: ComponentChildren
  children: ComponentChildren
}

/** A form that is a whole screen: heading, error, fields and button. */
export function SignInForm(props: SignInFormProps) {
  const { errors, isBusy, formProps } = props.form
  return (
    <form class={`${styles.signIn} ${base.appear}`} {...formProps}>
      <SignInHead {...props}>{props.lead}</SignInHead>
      <FormError id={props.errorId} text={errors['form']} />
      {props.children}
      <Button type="submit" isBusy={isBusy}>
        {props.submit}
      </Button>
      {props.end}
    </form>
  )
}
