import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { OperatorError } from '#server/errors.ts'
import { connectToClickHouse } from './connection.ts'
import { requireGrants } from './grants.ts'

/** Starts a server that answers `CHECK GRANT` as ClickHouse does for a user without some rights. */
async function connect(lacks: readonly string[], cluster?: string) {
  const server = createServer(async (request, response) => {
    const statement = await text(request)
    const isGranted = !lacks.some((right) => statement.includes(right))
    response.end(statement.startsWith('CHECK GRANT') && isGranted ? '1\n' : '0\n')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const clickHouse = connectToClickHouse({
    url: `clickhouse://jo:hush@127.0.0.1:${port}/db`,
    cluster,
  })
  onTestFinished(() => clickHouse.close())
  return clickHouse
}

describe('the rights of a user in ClickHouse', () => {
  it('suffice if none is missing', async () => {
    await requireGrants(await connect(['CLUSTER']))
  })

  it.each([
    ['a table that cannot be truncated', 'TRUNCATE', /GRANT SELECT, INSERT, .* ON db\.\* TO jo\.$/],
    ['sizes that cannot be read', 'system.parts', /GRANT SELECT ON system\.parts TO jo\.$/],
    ['statements on a cluster', 'CLUSTER ON', /GRANT CLUSTER ON \*\.\* TO jo\.$/],
  ])('are named with the statement that grants them: %s', async (_, right, statement) => {
    const checking = requireGrants(await connect([right], 'all_servers'))

    await expect(checking).rejects.toThrow(OperatorError)
    await expect(checking).rejects.toThrow(statement)
    await expect(checking).rejects.toThrow(/^(?!.*hush)ClickHouse at .* Run there: GRANT [^;]*$/)
  })

  it('are one sentence if several are missing', async () => {
    const checking = requireGrants(await connect(['INSERT', 'system.parts']))

    await expect(checking).rejects.toThrow(
      /ON db\.\* TO jo; GRANT SELECT ON system\.parts TO jo\.$/,
    )
  })
})
