import { LANGUAGES, type Language } from '@coffer/contract/languages'

/**
 * The first of our languages that the browser prefers, by its Accept-Language header; null if it names none of them.
 */
export function readLanguage(header: string | undefined): Language | null {
  const ranges = (header ?? '').split(',').map((range) => {
    const [tag = '', ...parameters] = range.toLowerCase().split(';')
    const weight = /^\s*q\s*=\s*([\d.]+)\s*$/.exec(parameters.join(';'))?.[1]
    return { name: tag.trim().split('-')[0], weight: Number(weight ?? 1) }
  })
  // The sort is stable: with the same weight, the first one is preferred.
  const preferred = ranges
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .find(({ name }) => LANGUAGES.some((each) => each === name))
  return LANGUAGES.find((each) => each === preferred?.name) ?? null
}
