import { ERRORS } from '@coffer/contract/errors'
import { readWallet } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { basicOf, openSetup, type Setup } from '../test/setup.ts'

const USE_BASIC = 'Use HTTP Basic authentication with your clientId and clientSecret.'
const NOT_BASIC = `The header Authorization is not valid HTTP Basic. ${USE_BASIC}`

describe('credentials of the server API', () => {
  let setup: Setup
  before(async () => {
    setup = await openSetup()
  })
  after(() => setup.harness.end())

  async function send(query: Record<string, string>, authorization?: string) {
    const { statusCode, json } = await setup.harness.inject({
      method: 'GET',
      url: readWallet.path,
      query: { serviceUserId: setup.user.serviceUserId, ...query },
      headers: authorization === undefined ? {} : { authorization },
    })
    const { error, code } = json<{ error: string; code: string }>()
    return { status: statusCode, error, code }
  }
  const refused = (error: string) => ({ status: 401, error, code: 'INVALID_CLIENT' })

  it('401 INVALID_CLIENT says that none were sent, or which one was not sent', async () => {
    const { clientId, clientSecret } = setup.app
    assert.deepEqual(await send({}), refused(`No credentials were sent. ${USE_BASIC}`))
    const noSecret = refused(`The clientSecret was not sent. ${USE_BASIC}`)
    assert.deepEqual(await send({ clientId }), noSecret)
    assert.deepEqual(await send({ clientId: 'app_unknown' }), noSecret)
    const noId = refused(`The clientId was not sent. ${USE_BASIC}`)
    assert.deepEqual(await send({ clientSecret }), noId)
  })

  it('401 INVALID_CLIENT says that the header must be HTTP Basic', async () => {
    const { clientId, clientSecret } = setup.app
    for (const header of [`Bearer ${clientSecret}`, clientSecret, 'Basic', 'Basic a b', '']) {
      assert.deepEqual(await send({}, header), refused(NOT_BASIC))
      assert.deepEqual(await send({ clientId, clientSecret }, header), refused(NOT_BASIC))
    }
  })

  it('401 INVALID_CLIENT is the same for a wrong secret and an unknown app', async () => {
    const { clientId } = setup.app
    for (const wrong of [clientId, 'app_00112233445566778899aabb', '']) {
      const credentials = { clientId: wrong, clientSecret: 'wrong' }
      const expected = refused(ERRORS.INVALID_CLIENT.text)
      assert.deepEqual(await send(credentials), expected)
      assert.deepEqual(await send({}, basicOf(credentials).authorization), expected)
    }
  })
})
