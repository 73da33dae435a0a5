import { describe, expect, it } from 'vitest'
import type { ResolvedEntity } from '#model/query-kinds/retention.schema.ts'
import { contextOf, startStores } from '../../../test/support/data/queries.ts'
import { compileLifecycleQuery } from './lifecycle/compile.ts'
import type { Plan } from './plan.ts'
import { compileRetentionQuery } from './retention/compile.ts'
import { compileStickinessQuery } from './stickiness/compile.ts'

/** Counts today's persons with each query kind. */
const KINDS: Readonly<Record<string, (entity: ResolvedEntity) => Plan<number>>> = {
  retention: (entity) => {
    const retentionFilter = { totalIntervals: 2, targetEntity: entity, returningEntity: entity }
    const plan = compileRetentionQuery({ kind: 'RetentionQuery', retentionFilter }, contextOf())
    return {
      ...plan,
      toResult: async (rows) => (await plan.toResult(rows))[1]?.values[0]?.count as number,
    }
  },
  lifecycle: ({ id, properties }) => {
    const series = [{ event: id, properties }]
    const plan = compileLifecycleQuery({ kind: 'LifecycleQuery', series }, contextOf())
    return {
      ...plan,
      toResult: async (rows) => (await plan.toResult(rows))[0]?.data.at(-1) as number,
    }
  },
  stickiness: ({ id, properties }) => {
    const series = [{ event: id, properties }, { event: id }]
    const plan = compileStickinessQuery({ kind: 'StickinessQuery', series }, contextOf())
    return { ...plan, toResult: async (rows) => (await plan.toResult(rows))[0]?.count as number }
  },
}

const HOSTILE = [
  `'`,
  `"`,
  `''); drop table events; --`,
  '$1',
  'a\\',
  '%_',
  'a/b~c',
  '🦔',
  'ﷺ\u202e',
  '\u0007',
  'x'.repeat(400),
]
const at = '2026-03-18T10:00:00Z'

describe.each(Object.entries(KINDS))('%s', (_, planOf) => {
  it('treats hostile texts as data', async () => {
    const stores = await startStores()
    await stores.add(
      HOSTILE.map((text) => ({ event: text, person: text, at, properties: { [text]: text } })),
    )
    await stores.add(HOSTILE.map((text) => ({ event: text, person: 'plain', at })))

    for (const text of HOSTILE) {
      const entity = { id: text, properties: [{ key: text, value: text }] }
      expect(await stores.run(planOf(entity))).toBe(1)
    }
    expect(await stores.run(planOf({ id: null }))).toBe(HOSTILE.length + 1)
  })

  it('finds texts that were sanitized or truncated when stored', async () => {
    const stores = await startStores()
    const texts = ['nul\0', 'y'.repeat(10_000)]
    await stores.add(texts.map((text) => ({ event: text, at })))

    for (const text of texts) {
      const properties = [{ key: 'absent', operator: 'is_not' as const, value: text }]
      expect(await stores.run(planOf({ id: text, properties }))).toBe(1)
    }
  })

  it("ignores another project's events", async () => {
    const stores = await startStores()
    const event = { event: 'a', at, properties: { plan: 'pro' } }
    await stores.add([{ ...event, person: 'own' }])
    await stores.add(
      [
        { ...event, person: 'foreign' },
        { ...event, person: 'own' },
      ],
      2,
    )
    await stores.add([{ ...event, person: 'own', at: '2020-01-01' }], 3)
    const entity = { id: 'a', properties: [{ key: 'plan', value: 'pro' }] }

    expect(await stores.run(planOf(entity))).toBe(1)
    expect(await stores.run(planOf(entity), 2)).toBe(2)
    expect(await stores.run(planOf(entity), 4)).toBe(0)
  })
})
