/** What a receiver of webhooks can do with a request, and what it means by docs/webhooks.md. */

interface Answer {
  /** null: there is no complete response in time. */
  status: number | null
  /** The beginning of the body, as the list of deliveries shows it. */
  shown: string
  isSuccess: boolean
  retryAfterSeconds?: number
}

export const ANSWER_NAMES = [
  'ok',
  'noContent',
  'large',
  'error',
  'gone',
  'redirect',
  'hangUp',
  'late',
  'slow',
  'busy',
  'limited',
] as const
export type AnswerName = (typeof ANSWER_NAMES)[number]

const LARGE = 'large '.repeat(50_000)
const SHOWN_BYTES = 1_024
const NOTHING = { status: null, shown: '', isSuccess: false }

export const ANSWERS: Record<AnswerName, Answer> = {
  ok: { status: 200, shown: 'ok', isSuccess: true },
  noContent: { status: 204, shown: '', isSuccess: true },
  /** More than the service reads. */
  large: { status: 200, shown: LARGE.slice(0, SHOWN_BYTES), isSuccess: true },
  error: { status: 500, shown: 'broken', isSuccess: false },
  gone: { status: 410, shown: '', isSuccess: false },
  redirect: { status: 302, shown: '', isSuccess: false },
  hangUp: NOTHING,
  late: NOTHING,
  /** The headers come in time, the end of the body does not. */
  slow: NOTHING,
  busy: { status: 503, shown: 'later', isSuccess: false, retryAfterSeconds: 7_200 },
  limited: { status: 429, shown: '', isSuccess: false, retryAfterSeconds: 1 },
}

export const bodyOf = (name: AnswerName): string => (name === 'large' ? LARGE : ANSWERS[name].shown)
