import { useHeadingFocus } from '../../ui/use-heading-focus.ts'
import { Frame } from '../frame.tsx'
import { AmountForm } from './amount.tsx'
import { CardForm } from './card.tsx'
import { useBalance, useFlow } from './flow.ts'
import { TopupPlaceholder } from './placeholder.tsx'
import { ActionAsked, TopupDone, TopupPaid, TopupProcessing } from './result.tsx'
import { Closed, Ended, Frozen, Lost, Unread } from './trouble.tsx'

export function TopupPage() {
  const flow = useFlow()
  const balance = useBalance(flow)
  const { screen, payment } = flow
  useHeadingFocus(screen.name)
  return <Frame>{renderScreen()}</Frame>

  function renderScreen() {
    switch (screen.name) {
      case 'amount':
        return <AmountForm flow={flow} balance={balance} notice={screen.notice} />
      case 'card':
        return payment && <CardForm flow={flow} payment={payment} fault={screen.fault} />
      case 'action':
        return payment && <ActionAsked flow={flow} payment={payment} />
      case 'done':
        return <TopupDone amount={payment?.amount ?? '0'} balance={screen.balance} />
      case 'paid':
        return <TopupPaid />
      case 'processing':
        return <TopupProcessing />
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
