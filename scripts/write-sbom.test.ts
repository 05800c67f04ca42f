import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { ROOT } from './copy-checkout.ts'
import { createSbom } from './write-sbom.ts'

describe('the software bill of materials', () => {
  const sbom = createSbom()
  const names = new Set(sbom.components.map(({ name }) => name))

  it('lists everything that the service and its pages depend on', () => {
    for (const part of ['server', 'web']) {
      const { dependencies } = JSON.parse(readFileSync(`${ROOT}${part}/package.json`, 'utf8')) as {
        dependencies: Record<string, string>
      }
      for (const name of Object.keys(dependencies).filter((each) => !each.startsWith('@coffer/'))) {
        assert.ok(names.has(name), name)
      }
    }
    // Of fastify, and of pg, which is also used in development.
    for (const name of ['avvio', 'pg-protocol']) assert.ok(names.has(name), name)
  })

  it('lists no tools of development', () => {
    for (const name of ['oxlint', 'typescript', 'playwright', 'prettier', 'vite']) {
      assert.ok(!names.has(name), name)
    }
  })

  it('gives each package its version, its address in the registry and its hash', () => {
    for (const { name, version, purl, hashes } of sbom.components) {
      assert.match(version, /^\d+\.\d+\.\d+/, name)
      assert.equal(purl, `pkg:npm/${name.replace('@', '%40')}@${version}`)
      assert.match(hashes[0]?.content ?? '', /^[0-9a-f]{128}$/, name)
    }
  })

  it('names only packages that it lists', () => {
    const known = new Set(sbom.components.map((each) => each['bom-ref']))
    for (const { dependsOn } of sbom.dependencies) {
      assert.deepEqual(
        dependsOn.filter((ref) => !known.has(ref)),
        [],
      )
    }
  })
})
