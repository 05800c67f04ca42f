import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { collectCsv, createRowCounter, formatSize, type Progress } from './collect-csv.ts'

const TEXT = '\uFEFFa,b\r\n1,"two\r\nlines"\r\n2,"a ""quote"""\r\n'

function streamOf(chunks: Uint8Array<ArrayBuffer>[], error?: Error) {
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      const chunk = chunks.shift()
      if (chunk) controller.enqueue(chunk)
      else if (error) controller.error(error)
      else controller.close()
    },
  })
}

describe('a CSV download', () => {
  it('counts rows, wherever the chunks are split', () => {
    const bytes = new TextEncoder().encode(TEXT)
    for (let cut = 0; cut <= bytes.length; cut++) {
      const count = createRowCounter()
      count(bytes.subarray(0, cut))
      assert.equal(count(bytes.subarray(cut)), 2, `cut at ${cut}`)
    }
  })

  it('keeps every byte of all chunks', async () => {
    const row = new TextEncoder().encode(`${'x'.repeat(1023)}\n`)
    const mega = new Uint8Array(1024 * 1024)
    for (let at = 0; at < mega.length; at += row.length) mega.set(row, at)
    const seen: Progress[] = []
    const chunks = Array.from({ length: 9 }, () => mega)
    const { file, progress } = await collectCsv(streamOf(chunks), (each) => seen.push(each))
    assert.equal(file.size, 9 * mega.length)
    assert.deepEqual(progress, { rows: 9 * 1024 - 1, bytes: file.size })
    assert.deepEqual(seen.at(-1), progress)
    assert.deepEqual(new Uint8Array(await file.slice(-1024).arrayBuffer()), row)
  })

  it('fails if the stream fails', async () => {
    const chunks = [new TextEncoder().encode(TEXT)]
    await assert.rejects(
      collectCsv(streamOf(chunks, new Error('gone')), () => undefined),
      /gone/,
    )
  })

  it('has a readable size', () => {
    assert.equal(formatSize(900), '0.9 kB')
    assert.equal(formatSize(1_840_000), '1.8 MB')
  })
})
