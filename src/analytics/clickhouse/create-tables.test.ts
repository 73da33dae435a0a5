import { text } from 'node:stream/consumers'
import { expect, inject, it, onTestFinished } from 'vitest'
import { connectToClickHouse } from './connection.ts'
import { toCreateStatements, toLayout } from './create-tables.ts'

/** There is no cluster in the tests, so ClickHouse only parses what would create its tables. */
it('writes statements for a cluster that ClickHouse can parse', async () => {
  const url = inject('clickhouseUrl').replace(/^http/, 'clickhouse')
  const { client } = connectToClickHouse({ url, cluster: undefined })
  onTestFinished(() => client.close())
  const statements = toCreateStatements(toLayout('all_servers'))

  for (const query of statements) {
    const { stream } = await client.exec({ query: `explain ast ${query}` })
    expect(await text(stream)).toMatch(/^CreateQuery /)
    expect(query).toMatch(/ on cluster all_servers [\s\S]* engine = (Replicated|Distributed)/)
  }
  expect(statements).toHaveLength(9)
})
