/** A name server with one answer per name, or another one for each question. */
import { createSocket } from 'node:dgram'
import { promises as dns, type LookupAddress } from 'node:dns'
import { once } from 'node:events'
import { isIP } from 'node:net'

/** The addresses of a name, for its first question, its second one, and so on; the last ones stay. */
export type Zone = Record<string, string[][]>

const HEADER_BYTES = 12
const TYPES = { 1: 4, 28: 6 } as const

export async function openDnsServer(zone: Zone) {
  const asked = new Map<string, number>()
  const socket = createSocket('udp4')
  socket.on('message', (question, { port, address }) => {
    const { name, end } = readName(question)
    const type = question.readUInt16BE(end)
    const family = TYPES[type as keyof typeof TYPES]
    const answers = zone[name]
    const count = asked.get(`${name} ${type}`) ?? 0
    asked.set(`${name} ${type}`, count + 1)
    const addresses = answers?.[Math.min(count, answers.length - 1)] ?? []
    const found = addresses.filter((each) => isIP(each) === family)
    socket.send(
      answer(question.subarray(0, end + 4), type, found, answers !== undefined),
      port,
      address,
    )
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const resolver = new dns.Resolver({ timeout: 1_000, tries: 1 })
  resolver.setServers([`127.0.0.1:${socket.address().port}`])
  return {
    async resolve(name: string): Promise<LookupAddress[]> {
      const [four, six] = await Promise.all([
        resolver.resolve4(name).catch(() => []),
        resolver.resolve6(name).catch(() => []),
      ])
      const as = (family: number) => (address: string) => ({ address, family })
      return [...four.map(as(4)), ...six.map(as(6))]
    },
    close: () => socket.close(),
  }
}

function readName(question: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 }
}

function answer(question: Buffer, type: number, addresses: readonly string[], isKnown: boolean) {
  const head = Buffer.from(question)
  head.writeUInt16BE(isKnown ? 0x8180 : 0x8183, 2)
  head.writeUInt16BE(addresses.length, 6)
  head.writeUInt32BE(0, 8)
  const records = addresses.map((address) => {
    const data = type === 1 ? Buffer.from(address.split('.').map(Number)) : readIPv6(address)
    const record = Buffer.alloc(12)
    record.writeUInt16BE(0xc00c, 0)
    record.writeUInt16BE(type, 2)
    record.writeUInt16BE(1, 4)
    record.writeUInt16BE(data.length, 10)
    return Buffer.concat([record, data])
  })
  return Buffer.concat([head, ...records])
}

function readIPv6(address: string): Buffer {
  const [left = '', right = ''] = address.split('::')
  const parts = (text: string) => (text === '' ? [] : text.split(':'))
  const missing = 8 - parts(left).length - parts(right).length
  const all = [...parts(left), ...Array.from({ length: missing }, () => '0'), ...parts(right)]
  return Buffer.from(all.map((part) => part.padStart(4, '0')).join(''), 'hex')
}
