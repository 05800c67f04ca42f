import { useHeadingFocus } from '../../ui/use-heading-focus.ts'
import { ConfirmOwner } from '../confirm-owner.tsx'
import { Frame } from '../frame.tsx'
import { isStarted } from './address.ts'
import { AmountForm } from './amount.tsx'
import { CardForm } from './card.tsx'
import { useTopup } from './context.ts'
import { useFlow, useWallet } from './flow.ts'
import { OtherPaid, OtherProcessing, Unpaid } from './other.tsx'
import { TopupPlaceholder } from './placeholder.tsx'
import { ActionAsked, TopupDone, TopupPaid, TopupProcessing } from './result.tsx'
import { Closed, Ended, Frozen, Lost, Unread } from './status-screens.tsx'

export function TopupPage() {
  const flow = useFlow()
  const wallet = useWallet(flow)
  const { address } = useTopup()
  const { screen, payment, isConfirmed } = flow
  useHeadingFocus(isConfirmed ? screen.name : `${screen.name} unconfirmed`)
  return <Frame>{renderScreen()}</Frame>

  function renderScreen() {
    switch (screen.name) {
      case 'amount':
        if (!flow.isConfirmed) {
          return <ConfirmOwner session={address.session ?? ''} proceed={flow.confirm} />
        }
        return <AmountForm flow={flow} wallet={wallet} notice={screen.notice} />
      case 'card':
        if (!isStarted(payment)) return <Unpaid flow={flow} status="open" />
        return <CardForm flow={flow} payment={payment} fault={screen.fault} />
      case 'action':
        if (!isStarted(payment)) return <Unpaid flow={flow} status="open" />
        return <ActionAsked flow={flow} payment={payment} />
      case 'done':
        return <TopupDone amount={payment?.amount ?? '0'} balance={screen.balance} />
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
      case 'closed':
        return <Closed />
      case 'unread':
        return <Unread retry={flow.resume} />
      case 'lost':
        return <Lost />
      case 'loading':
        return <TopupPlaceholder />
    }
  }
}
