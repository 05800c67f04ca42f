/**
 * Reads rows with COPY in PostgreSQL's binary format, without an object per row or field: for statements that read
 * millions of rows. The driver would create a message object per row, so this reads the socket itself while the rows
 * arrive.
 */
import type pg from 'pg'

/**
 * Called for each row; `at` is the position of its first field's length. Each field is a length of four bytes, -1 for
 * null, and the value. The buffer is used again for later rows.
 */
export type TakeRow = (bytes: Buffer, view: DataView, at: number) => void

const COPY_DATA = 'd'.charCodeAt(0)
const COPY_OUT = 'H'.charCodeAt(0)
/** Type and length of a message. */
const MESSAGE_BYTES = 5
/** The signature, flags and the length of the extension, before the first row. */
const HEADER_BYTES = 19
const FIELD_COUNT_BYTES = 2
const END_OF_ROWS = -1
const EMPTY = Buffer.alloc(0)

/** Returns the number of rows. The statement is a query without parameters. */
export function copyRows(
  client: pg.ClientBase,
  { text }: { text: string },
  takeRow: TakeRow,
): Promise<number> {
  return new Promise((resolve, reject) => {
    client.query(new CopyOut(`copy (${text}) to stdout (format binary)`, takeRow, resolve, reject))
  })
}

type Listener = (bytes: Buffer) => void

/** The methods named handle… are called by the driver. */
class CopyOut implements pg.Submittable {
  readonly #text: string
  readonly #takeRow: TakeRow
  readonly #resolve: (rows: number) => void
  readonly #reject: (error: Error) => void
  #rows = 0
  #isFirst = true
  #failure: Error | undefined
  /** The start of a message whose end has not arrived yet. */
  #rest: Buffer = EMPTY

  constructor(
    text: string,
    takeRow: TakeRow,
    resolve: (rows: number) => void,
    reject: (error: Error) => void,
  ) {
    this.#text = text
    this.#takeRow = takeRow
    this.#resolve = resolve
    this.#reject = reject
  }

  submit(connection: pg.Connection) {
    const { stream } = connection
    const listeners = stream.listeners('data') as Listener[]
    const take = (chunk: Buffer) => {
      const bytes = this.#completeRest(chunk)
      const end = this.#takeMessages(bytes)
      const isCopying = end + MESSAGE_BYTES > bytes.length || isCopyMessage(bytes[end])
      if (isCopying) {
        this.#rest = bytes.subarray(end)
        return
      }
      // Any other message belongs to the driver, and so does everything after it.
      stream.removeListener('data', take)
      for (const listener of listeners) stream.on('data', listener)
      for (const listener of listeners) listener(bytes.subarray(end))
    }
    for (const listener of listeners) stream.removeListener('data', listener)
    stream.on('data', take)
    connection.query(this.#text)
  }

  /** Takes the message that began in the previous chunk, and returns what follows it. Copies as little as possible. */
  #completeRest(chunk: Buffer): Buffer {
    const rest = this.#rest
    this.#rest = EMPTY
    if (rest.length === 0) return chunk
    if (rest.length < MESSAGE_BYTES) return Buffer.concat([rest, chunk])
    const missing = 1 + rest.readUInt32BE(1) - rest.length
    if (missing > chunk.length) return Buffer.concat([rest, chunk])
    this.#takeMessages(Buffer.concat([rest, chunk.subarray(0, missing)]))
    return chunk.subarray(missing)
  }

  /** Returns the position of the first message that is incomplete or not about rows. */
  #takeMessages(bytes: Buffer): number {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    let at = 0
    while (at + MESSAGE_BYTES <= bytes.length && isCopyMessage(bytes[at])) {
      const next = at + 1 + view.getUint32(at + 1)
      if (next > bytes.length) break
      if (bytes[at] === COPY_DATA) this.#takeData(bytes, view, at + MESSAGE_BYTES)
      at = next
    }
    return at
  }

  #takeData(bytes: Buffer, view: DataView, at: number) {
    const row = this.#isFirst ? at + HEADER_BYTES : at
    this.#isFirst = false
    if (this.#failure !== undefined || view.getInt16(row) === END_OF_ROWS) return
    this.#rows++
    try {
      this.#takeRow(bytes, view, row + FIELD_COUNT_BYTES)
    } catch (error) {
      // An exception would end the process, because it would leave the socket's listener.
      this.#failure = error as Error
    }
  }

  /** Rows after another message, such as a warning, come from the driver. */
  handleCopyData({ chunk }: { chunk: Buffer }) {
    this.#takeData(chunk, new DataView(chunk.buffer, chunk.byteOffset, chunk.length), 0)
  }

  handleCommandComplete() {}

  handleReadyForQuery() {
    if (this.#failure) this.#reject(this.#failure)
    else this.#resolve(this.#rows)
  }

  handleError(error: Error) {
    this.#reject(error)
  }
}

function isCopyMessage(type: number | undefined): boolean {
  return type === COPY_DATA || type === COPY_OUT
}
