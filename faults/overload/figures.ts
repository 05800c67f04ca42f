/** Measured values and their goals. */
export interface Figure {
  name: string
  measured: string
  /** Without a goal the figure is only reported. */
  goal?: string
  isMet?: boolean
}

export interface Section {
  title: string
  figures: Figure[]
}

export function milliseconds(value: number): string {
  return value < 1000 ? `${value.toFixed(value < 10 ? 1 : 0)} ms` : `${(value / 1000).toFixed(2)} s`
}

export function megabytes(value: number): string {
  return `${value.toFixed(0)} MB`
}

export function reported(name: string, measured: string): Figure {
  return { name, measured }
}

export function required(name: string, measured: string, goal: string, isMet: boolean): Figure {
  return { name, measured, goal, isMet }
}

export function showCounts(counts: Record<string, number>): string {
  const parts = Object.entries(counts).toSorted(([, a], [, b]) => b - a)
  return parts.map(([name, count]) => `${count} × ${name}`).join(', ') || 'none'
}

export function isAllMet(sections: readonly Section[]): boolean {
  return sections.every(({ figures }) => figures.every(({ isMet }) => isMet ?? true))
}

export function toMarkdown(sections: readonly Section[]): string {
  return sections
    .map(
      ({ title, figures }) => `## ${title}

| What | Measured | Goal | |
| ---- | -------- | ---- | -- |
${figures.map(toRow).join('\n')}
`,
    )
    .join('\n')
}

function toRow({ name, measured, goal = '', isMet }: Figure): string {
  const verdict = isMet === undefined ? '' : isMet ? 'met' : '**missed**'
  return `| ${name} | ${measured} | ${goal} | ${verdict} |`
}
