/** The part of contract-inputs.ts about people's passkeys. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { logInAs } from './account-setup.ts'
import { Authenticator } from './authenticator.ts'
import type { ContractService } from './contract-service.ts'
import { makeClientApp } from './factories.ts'
import {
  askPersonToMake,
  givePersonPasskey,
  requestFrameChallenge,
  requestPersonChallenge,
} from './passkey-setup.ts'
import { makePerson, PASSWORD } from './sign-in.ts'

export const PASSKEY_INPUTS = {
  beginAccountPasskeyLogIn: () => ({}),
  logInToAccountByPasskey: async (service: ContractService) => {
    const person = await makePerson(service)
    const cookie = await logInAs(service.harness, person.email)
    const passkey = await givePersonPasskey(service, { cookie })
    return { passkey: passkey.sign(await requestPersonChallenge(service)) }
  },
  beginWidgetPasskeyLogIn: ({ app }: ContractService) => ({ clientId: app.clientId }),
  logInToWidgetByPasskey: async (service: ContractService) => {
    const person = await makePerson(service)
    const cookie = await logInAs(service.harness, person.email)
    const key = await givePersonPasskey(service, { cookie })
    const topOrigin = `https://${randomUUID()}.example`
    const allowedIframeParents = [topOrigin]
    const { clientId } = await makeClientApp(service.harness.context, { allowedIframeParents })
    const options = await requestFrameChallenge(service, clientId)
    return { clientId, passkey: key.sign(options, { topOrigin }) }
  },
  beginAccountPasskey: () => ({ password: PASSWORD }),
  addAccountPasskey: async (service: ContractService) => ({
    name: 'Phone',
    passkey: new Authenticator().make(await askPersonToMake(service, service.person)),
  }),
  removeAccountPasskey: async (service: ContractService) => ({
    id: await findNewPasskey(service),
    password: PASSWORD,
  }),
  renameAccountPasskey: async (service: ContractService) => ({
    id: await findNewPasskey(service),
    name: 'Laptop',
  }),
}

async function findNewPasskey(service: ContractService): Promise<string> {
  await givePersonPasskey(service, service.person)
  const { rows } = await service.harness.admin.query<{ id: string }>(
    'select id::text from directory.passkeys where service_user_id = $1 order by id desc limit 1',
    [service.person.id],
  )
  return rows[0]?.id ?? assert.fail()
}
