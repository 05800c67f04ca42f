/** The screens of a top-up, in the widget's window and at /account. */
import type { ComponentChildren, FunctionComponent } from 'preact'
import { useHeadingFocus } from '../../ui/use-heading-focus.ts'
import { isStarted } from './address.ts'
import { AmountForm } from './amount.tsx'
import { CardForm, type CardFormProps } from './card.tsx'
import { useFlow, useWallet } from './flow.ts'
import { OtherPaid, OtherProcessing, Unpaid } from './other.tsx'
import { TopupPlaceholder } from './placeholder.tsx'
import { ActionAsked, TopupDone, TopupPaid, TopupProcessing } from './result.tsx'
import { Unavailable, Ended, Frozen, NotFound, Unreachable } from './status-screens.tsx'

interface TopupScreensProps {
  /** Asks whether the wallet is the visitor's own, if anybody may have sent them here. */
  confirmOwner?: ComponentChildren
  /** The form that pays with a saved card; undefined: there are none. */
  PayBySavedCard: FunctionComponent<CardFormProps> | undefined
}

export function TopupScreens({ confirmOwner, PayBySavedCard }: TopupScreensProps) {
  const isConfirmed = !confirmOwner
  const flow = useFlow(isConfirmed)
  const wallet = useWallet(flow, isConfirmed)
  const { screen, payment } = flow
  useHeadingFocus(isConfirmed ? screen.name : `${screen.name} unconfirmed`)
  switch (screen.name) {
    case 'amount':
      if (confirmOwner) return confirmOwner
      return <AmountForm flow={flow} wallet={wallet} notice={screen.notice} />
    case 'card':
      if (!isStarted(payment)) return <Unpaid flow={flow} status="open" />
      return PayBySavedCard && payment.choice?.cardId ? (
        <PayBySavedCard flow={flow} payment={payment} error={screen.error} />
      ) : (
        <CardForm flow={flow} payment={payment} error={screen.error} />
      )
    case 'action':
      if (!isStarted(payment)) return <Unpaid flow={flow} status="open" />
      return <ActionAsked flow={flow} payment={payment} />
    case 'done':
      return (
        <TopupDone
          amount={payment?.amount ?? '0'}
          balance={screen.balance}
          card={payment?.choice?.name}
        />
      )
    case 'paid':
      return isStarted(payment) ? <TopupPaid /> : <OtherPaid amount={payment?.amount ?? '0'} />
    case 'processing':
      return isStarted(payment) ? <TopupProcessing /> : <OtherProcessing />
    case 'unpaid':
      return <Unpaid flow={flow} status={screen.status} />
    case 'ended':
      return <Ended />
    case 'frozen':
      return <Frozen />
    case 'unavailable':
      return <Unavailable />
    case 'unreachable':
      return <Unreachable retry={flow.resume} />
    case 'notFound':
      return <NotFound />
    case 'loading':
      return <TopupPlaceholder />
  }
}
