import { Notice } from '../../ui/notice.tsx'
import { usePage } from '../page-context.ts'

export function Archived({ before }: { before: string }) {
  const { messages, day } = usePage()
  return <Notice kind="info">{messages.history.archived(day.date(before))}</Notice>
}
