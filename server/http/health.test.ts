import assert from 'node:assert/strict'
import fastify from 'fastify'
import { after, before, describe, it } from 'node:test'
import { createPool } from '../database/connect.ts'
import { startHarness, type Harness } from '../test/harness.ts'
import { mountHealth } from './health.ts'

describe('GET /readyz', () => {
  let harness: Harness
  before(async () => {
    harness = await startHarness()
  })
  after(() => harness.end())

  async function read(part: { isStopping?: boolean; isSilent?: boolean; isAway?: boolean }) {
    const app = fastify()
    const db = createPool(harness.databaseUrl, { size: 1, barrier: false })
    const parts = { db, ledger: { hasSilentConnection: part.isSilent ?? false } }
    mountHealth(app, parts, { isStopping: () => part.isStopping ?? false })
    if (part.isAway) await db.end()
    const { statusCode, body } = await app.inject({ method: 'GET', url: '/readyz' })
    if (!part.isAway) await db.end()
    return `${statusCode} ${JSON.parse(body).status}`
  }

  it('200 if the process can serve requests', async () => {
    assert.equal(await read({}), '200 ok')
  })

  it('503 while the process stops', async () => {
    assert.equal(await read({ isStopping: true }), '503 stopping')
  })

  it('503 while a connection of the ledger does not respond', async () => {
    assert.equal(await read({ isSilent: true }), '503 a database connection does not respond')
  })

  it('503 while the database does not respond', async () => {
    assert.equal(await read({ isAway: true }), '503 the database does not respond')
  })
})
