import type { Statement } from '../../database/statement.ts'

export interface Passkey {
  id: bigint
  operatorId: bigint
  email: string
  publicKey: Buffer
  name: string
}

interface PasskeyRow {
  id: bigint
  operator_id: bigint
  email: string
  public_key: Buffer
  name: string
}

/** Returns no row if the operator is inactive. */
export function findPasskey(credentialId: Buffer): Statement<Passkey> {
  return {
    text: `select p.id, p.operator_id, o.email, p.public_key, p.name
      from admin.passkeys p join admin.operators o on o.id = p.operator_id
      where p.credential_id = $1 and o.is_active`,
    values: [credentialId],
    read: ({ id, operator_id: operatorId, email, public_key: publicKey, name }: PasskeyRow) => ({
      id,
      operatorId,
      email,
      publicKey,
      name,
    }),
  }
}
