import { Button, TextButton } from '../../ui/button.tsx'
import { FormFault } from '../../ui/notice.tsx'
import { DoorHead, type SecondStepProps, useCodeForm } from './parts.tsx'
import { SecondFactorField } from '../kit/form-parts.tsx'
import { words } from '../messages.ts'

export function EnterCode({ ticket, onDone, startAgain }: SecondStepProps) {
  const { faults, isBusy, formProps } = useCodeForm({ ticket, onDone })
  return (
    <form class="form appear" {...formProps}>
      <DoorHead title={words.code.title} text={words.code.lead} />
      <FormFault text={faults['form']} />
      <SecondFactorField error={faults['code']} />
      <Button type="submit" isBusy={isBusy}>
        {words.code.submit}
      </Button>
      <TextButton onClick={startAgain}>{words.code.startAgain}</TextButton>
    </form>
  )
}
