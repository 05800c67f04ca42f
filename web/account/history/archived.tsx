import { Notice } from '../../ui/notice.tsx'
import { usePage } from '../page-context.ts'

export function Archived({ before }: { before: string }) {
  const { words, day } = usePage()
  return <Notice kind="info">{words.history.archived(day.date(before))}</Notice>
}
