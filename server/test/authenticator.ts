/**
 * Emulates a phone or security key with passkeys, and the browser around it, in software: real keys and real
 * signatures. A test can replace every part of the response, even parts that a page cannot change.
 */
import { generateKeyPairSync, hash, randomBytes, sign, type KeyObject } from 'node:crypto'

/** The options that the service sends. */
export interface AskedToSign {
  rpId: string
  challenge: string
}
export interface AskedToMake extends AskedToSign {
  user: { id: string }
}

/** Deviations from a valid device on a valid page. */
export interface Oddities {
  rpId?: string
  origin?: string
  challenge?: string
  type?: string
  isVerified?: boolean
  isPresent?: boolean
  signCount?: number
  /** In a frame of a page with this origin; null: the browser does not report it. */
  topOrigin?: string | null | undefined
  userHandle?: string | undefined
  credentialId?: Buffer
  privateKey?: KeyObject
}

type Attest = (signed: Buffer) => { fmt: string; attStmt: Map<string, Cbor> }
const attestNothing: Attest = () => ({ fmt: 'none', attStmt: new Map<string, Cbor>() })

export const HOME = 'http://localhost'
const PRESENT = 0x01
const VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

/** Holds one passkey. */
export class Authenticator {
  readonly credentialId = randomBytes(32)
  readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  userHandle: string | undefined
  signCount: number
  /** Many authenticators always send 0. */
  readonly counts: boolean

  constructor({ counts = true } = {}) {
    this.counts = counts
    this.signCount = counts ? 1 : 0
  }

  get id(): string {
    return this.credentialId.toString('base64url')
  }

  /** `attest` creates an attestation of the new key; the service requests none. */
  make(options: AskedToMake, odd: Oddities = {}, attest: Attest = attestNothing) {
    this.userHandle = options.user.id
    const id = odd.credentialId ?? this.credentialId
    const length = Buffer.alloc(2)
    length.writeUInt16BE(id.length)
    const credential = Buffer.concat([Buffer.alloc(16), length, id, this.#coseKey()])
    const authData = Buffer.concat([this.#head(options, HAS_CREDENTIAL, odd), credential])
    const clientData = writeClientData(options, 'webauthn.create', odd)
    const { fmt, attStmt } = attest(Buffer.concat([authData, hash('sha256', clientData, 'buffer')]))
    const attestation = new Map<string, Cbor>([
      ['fmt', fmt],
      ['attStmt', attStmt],
      ['authData', authData],
    ])
    return {
      id: id.toString('base64url'),
      response: {
        clientDataJSON: clientData.toString('base64url'),
        attestationObject: encode(attestation).toString('base64url'),
        transports: ['internal', 'hybrid'],
      },
    }
  }

  sign(options: AskedToSign, odd: Oddities = {}) {
    if (this.counts) this.signCount++
    const authData = this.#head(options, 0, odd)
    const clientData = writeClientData(options, 'webauthn.get', odd)
    const data = Buffer.concat([authData, hash('sha256', clientData, 'buffer')])
    const userHandle = 'userHandle' in odd ? odd.userHandle : this.userHandle
    return {
      id: (odd.credentialId ?? this.credentialId).toString('base64url'),
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: sign('sha256', data, odd.privateKey ?? this.keys.privateKey).toString(
          'base64url',
        ),
        userHandle,
      },
    }
  }

  /** The authenticator data: hash of the domain, flags and signature counter. */
  #head(options: AskedToSign, flags: number, odd: Oddities): Buffer {
    const { isPresent = true, isVerified = true, signCount = this.signCount } = odd
    const rest = Buffer.alloc(5)
    rest.writeUInt8(flags | (isPresent ? PRESENT : 0) | (isVerified ? VERIFIED : 0))
    rest.writeUInt32BE(signCount, 1)
    return Buffer.concat([hash('sha256', odd.rpId ?? options.rpId, 'buffer'), rest])
  }

  #coseKey(): Buffer {
    const { x = '', y = '' } = this.keys.publicKey.export({ format: 'jwk' })
    const key = new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ])
    return encode(key)
  }
}

function writeClientData(options: AskedToSign, type: string, odd: Oddities): Buffer {
  const { origin = HOME, challenge = options.challenge } = odd
  const { topOrigin } = odd
  const frame =
    topOrigin === undefined
      ? { crossOrigin: false }
      : { crossOrigin: true, ...(topOrigin !== null && { topOrigin }) }
  const data = { type: odd.type ?? type, challenge, origin, ...frame }
  return Buffer.from(JSON.stringify(data))
}

export type Cbor = number | string | Buffer | Cbor[] | Map<number | string, Cbor>

/** The part of CBOR (RFC 8949) that passkeys use. */
function encode(value: Cbor): Buffer {
  if (typeof value === 'number') {
    return value < 0 ? writeHead(1, -1 - value) : writeHead(0, value)
  }
  if (Buffer.isBuffer(value)) return Buffer.concat([writeHead(2, value.length), value])
  if (typeof value === 'string') {
    const text = Buffer.from(value)
    return Buffer.concat([writeHead(3, text.length), text])
  }
  if (Array.isArray(value)) {
    return Buffer.concat([writeHead(4, value.length), ...value.map(encode)])
  }
  const entries = [...value].flatMap(([key, each]) => [encode(key), encode(each)])
  return Buffer.concat([writeHead(5, value.size), ...entries])
}

function writeHead(kind: number, count: number): Buffer {
  const high = kind << 5
  if (count < 24) return Buffer.from([high | count])
  if (count < 256) return Buffer.from([high | 24, count])
  return Buffer.from([high | 25, count >> 8, count & 0xff])
}
