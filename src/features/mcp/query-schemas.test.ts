import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { useApp } from '../../../test/support/app/app.ts'
import { callTool, connectMcp } from '../../../test/support/app/mcp.ts'
import { addVisits } from '../../../test/support/data/visits.ts'

const VISIT = { event: 'visit' }

/** Checks arguments as a strict client does before it calls a tool. */
async function openTool(name: string) {
  const api = await useApp()
  await addVisits(api, 3, { properties: { price: 5 } })
  const client = await connectMcp(api)
  const { tools } = await client.listTools()
  const inputSchema = tools.find((tool) => tool.name === name)?.inputSchema ?? {}
  const isValid = new Ajv2020({ strict: false }).compile(inputSchema)
  return { isValid, call: (args: object) => callTool(client, name, { ...args }) }
}

describe.each([
  ['query-trends', { series: [VISIT] }],
  ['query-funnel', { series: [VISIT, VISIT] }],
  ['query-lifecycle', { series: [VISIT] }],
  ['query-stickiness', { series: [VISIT] }],
  ['query-retention', { retentionFilter: {} }],
  ['query-paths', {}],
  ['query-web-overview', {}],
  ['query-web-stats-table', { breakdownBy: 'Page' }],
  ['query-web-goals', {}],
])('the schema of %s', (name, query) => {
  it('allows texts, numbers and lists as the value of a filter, and no objects', async () => {
    const { isValid } = await openTool(name)
    const isAllowed = (value: unknown) =>
      isValid({ ...query, properties: [{ key: 'price', value }] })

    expect(['5', 5, true, [5, '6']].filter((value) => !isAllowed(value))).toEqual([])
    expect(isAllowed({})).toBe(false)
  })
})

it('counts the events whose property has a value of a list', async () => {
  const { isValid, call } = await openTool('query-trends')
  const args = {
    series: [VISIT],
    properties: [{ key: 'price', value: [5, 6], operator: 'exact' }],
    trendsFilter: { display: 'BoldNumber' },
  }

  expect(isValid(args)).toBe(true)
  expect((await call(args)).value).toMatchObject({ results: [{ aggregated_value: 3 }] })
})
