/** The fenced blocks of a Markdown file, in their order. */
export interface Block {
  /** The first word behind the fence; empty if there is none. */
  language: string
  /** The other words behind it, `name=value` each. */
  marks: Record<string, string>
  text: string
  /** Of the opening fence, counted from 1. */
  line: number
}

export function readBlocks(markdown: string): Block[] {
  const blocks: Block[] = []
  let open: Block | undefined
  /** Of the fence, in a list. */
  let indent = 0
  for (const [index, line] of markdown.split('\n').entries()) {
    const fence = /^( *)```(.*)$/.exec(line)
    if (fence === null) {
      if (open) open.text += `${line.slice(indent)}\n`
    } else if (open) {
      blocks.push(open)
      open = undefined
    } else {
      const [language = '', ...words] = (fence[2] ?? '').split(' ')
      indent = fence[1]?.length ?? 0
      open = { language, marks: readMarks(words), text: '', line: index + 1 }
    }
  }
  if (open) throw new Error(`The block in line ${open.line} has no end.`)
  return blocks
}

function readMarks(words: string[]): Record<string, string> {
  const pairs = words.map((word) => {
    const [name = '', ...value] = word.split('=')
    return [name, value.join('=')] as const
  })
  return Object.fromEntries(pairs)
}
