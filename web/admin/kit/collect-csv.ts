/** Collects a CSV file from a stream and counts its rows. */

export interface Progress {
  rows: number
  bytes: number
}

/** The browser can keep large blobs on disk, unlike strings of a script. */
const PART_BYTES = 4 * 1024 * 1024
const QUOTE = 0x22
const LINE_FEED = 0x0a

/** Fails if the stream fails: an incomplete file is not offered. */
export async function collectCsv(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  onProgress: (progress: Progress) => void,
): Promise<{ file: Blob; progress: Progress }> {
  const parts: Blob[] = []
  let pending: Uint8Array<ArrayBuffer>[] = []
  let pendingBytes = 0
  let bytes = 0
  const countRows = createRowCounter()
  let rows = 0
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    bytes += value.length
    rows = countRows(value)
    pending.push(value)
    pendingBytes += value.length
    if (pendingBytes >= PART_BYTES) {
      parts.push(new Blob(pending))
      pending = []
      pendingBytes = 0
    }
    onProgress({ rows, bytes })
  }
  const file = new Blob([...parts, ...pending], { type: 'text/csv' })
  return { file, progress: { rows, bytes } }
}

/** Counts rows without the header. A line break within quotes does not end a row. */
export function createRowCounter(): (chunk: Uint8Array) => number {
  let lines = 0
  let isQuoted = false
  return (chunk) => {
    for (const byte of chunk) {
      if (byte === QUOTE) isQuoted = !isQuoted
      else if (byte === LINE_FEED && !isQuoted) lines++
    }
    return Math.max(0, lines - 1)
  }
}

/** "1.8 MB" */
export function formatSize(bytes: number): string {
  const [value, unit] = bytes < 1e6 ? [bytes / 1e3, 'kilobyte'] : [bytes / 1e6, 'megabyte']
  const format = { style: 'unit', unit, maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat('en', format).format(value)
}

export function saveFile(file: Blob, name: string) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // The browser must start the download first.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
