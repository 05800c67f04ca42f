/** The metrics and labels that a PromQL expression names. A reader for our own expressions, not a whole parser. */
export interface Named {
  metrics: Set<string>
  labels: Set<string>
}

const WORDS = new Set(['by', 'without', 'on', 'ignoring', 'or', 'and', 'unless', 'bool', 'offset'])

export function readPromql(expression: string): Named {
  const labels = new Set<string>()
  const rest = expression
    .replaceAll(/"[^"]*"/g, '""')
    .replaceAll(/\{([^}]*)\}/g, (_, matchers: string) => {
      for (const [, name = ''] of matchers.matchAll(/(\w+)\s*[=!]/g)) labels.add(name)
      return ''
    })
    .replaceAll(/\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g, (_, names: string) => {
      for (const name of names.split(',')) labels.add(name.trim())
      return ''
    })
    .replaceAll(/\[[^\]]*\]|\boffset \w+/g, '')
  const names = [...rest.matchAll(/\b[a-z_]\w*\b(?!\s*\()/g)].map(([name]) => name)
  return { labels, metrics: new Set(names.filter((name) => !WORDS.has(name))) }
}
