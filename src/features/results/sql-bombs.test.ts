import { describe, expect, it } from 'vitest'
import { type TestApp, useApp } from '../../../test/support/app/app.ts'
import { callTool, connectMcp } from '../../../test/support/app/mcp.ts'
import { createInsight, insightPath } from '../../../test/support/data/insights.ts'
import { BOMBS } from '../../../test/support/data/sql-bombs.ts'
import { addVisits, QUERY } from '../../../test/support/data/visits.ts'

const toQuery = (name: string, size: number) => ({
  kind: 'HogQLQuery',
  query: BOMBS[name]?.(size) ?? '',
})

const ask = (api: TestApp, name: string, size: number) =>
  api.post(QUERY, { query: toQuery(name, size) })

describe('SQL that would take forever to plan', () => {
  it('is refused in a query, an insight and a tool, and others are not delayed', {
    tags: 'sql',
  }, async () => {
    const api = await useApp()
    await addVisits(api, 3)
    const colleague = await api.as({})
    const bomb = toQuery('doubled by UNION ALL', 25)

    const query = await api.post(QUERY, { query: bomb })
    const insight = await createInsight(api, {
      query: { kind: 'DataVisualizationNode', source: bomb },
    })
    const read = await api.get(`${insightPath(insight.id)}?refresh=blocking`)
    const tool = await callTool(await connectMcp(api), 'execute-sql', { query: bomb.query })

    const refusal = expect.stringContaining('The query is too complex')
    expect(query).toMatchObject({ status: 400, body: { attr: 'query__query', detail: refusal } })
    expect(read.text).toContain('The query is too complex')
    expect([tool.isError, tool.texts.join()]).toEqual([true, refusal])
    const other = await colleague.post(QUERY, { query: { kind: 'HogQLQuery', query: 'select 1' } })
    expect(other.body.results).toEqual([[1]])
  })

  it('is not what a large query is that can be planned', async () => {
    const api = await useApp()
    await addVisits(api, 3)

    const { status, body } = await ask(api, 'events joined in a chain', 15)
    const large = await ask(api, 'many conditional counts', 200)
    const again = await ask(api, 'many conditional counts', 200)

    expect([status, body.results]).toEqual([200, [[3]]])
    expect([large.status, large.body.results[0].length]).toEqual([200, 200])
    expect(again.status).toBe(200)
  })

  it('has no texts that may fill the memory', { tags: 'sql' }, async () => {
    const api = await useApp()
    const texts = Array.from(
      { length: 4 },
      (_, n) => `concat(${Array(10).fill('properties.a')}) as c${n}`,
    )
    const properties = Array.from({ length: 30 }, (_, n) => `properties.p${n}`)
    const run = (columns: readonly string[]) =>
      api.post(QUERY, {
        query: { kind: 'HogQLQuery', query: `select ${columns} from events limit 10000` },
      })

    const refused = await run(texts)

    expect([refused.status, refused.body.detail]).toEqual([
      400,
      '10,000 rows of these texts may be too long. Select fewer or shorter texts, as in left(properties.name, 50), or set a lower LIMIT.',
    ])
    expect((await run(properties)).status).toBe(200)
  })
})
