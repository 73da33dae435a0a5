import { once } from 'node:events'
import { request } from 'node:http'
import { json } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { revokeApiKey } from '#server/features/accounts/api-keys/api-keys.ts'
import { AUTHORIZED } from '../../../test/contract/hostile-requests.ts'
import { startApp, useApp } from '../../../test/support/app/app.ts'
import { callTool, connectMcp } from '../../../test/support/app/mcp.ts'
import { endlessSql, watchStatements } from '../../../test/support/data/statements.ts'
import { addVisits } from '../../../test/support/data/visits.ts'
import { until } from '../../../test/support/until.ts'

const SQL = { query: endlessSql(1) }

it('stops a query whose client has left', async () => {
  const api = await useApp()
  await addVisits(api, 200)
  const client = await connectMcp(api)
  const statements = watchStatements(api)
  const call = callTool(client, 'execute-sql', SQL).catch(() => 'left')
  await until(() => statements.running() === 1)

  await client.close()

  expect(await call).toBe('left')
  await until(() => statements.running() === 0)
  expect(statements.canceled()).toBe(1)
})

it('ends a query whose key is revoked', async () => {
  const api = await useApp()
  await addVisits(api, 200)
  const { key, userId } = await api.as({})
  const client = await connectMcp(api, key)
  const statements = watchStatements(api)
  const call = callTool(client, 'execute-sql', SQL)
  await until(() => statements.running() === 1)

  const keys = api.db.selectFrom('api_keys').select('id').where('user_id', '=', userId)
  await revokeApiKey(api.db, (await keys.executeTakeFirstOrThrow()).id)

  expect(await call).toMatchObject({ isError: true, value: /Authorization header is invalid/ })
  await until(() => statements.running() === 0)
  expect(statements.canceled()).toBe(1)
})

it('answers a call whose body arrives while the server is stopping', async () => {
  const api = await startApp()
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'projects-get' },
  })
  const headers = {
    ...AUTHORIZED,
    'content-type': 'application/json',
    'content-length': body.length,
    connection: 'close',
  }
  const call = request(`${api.url}/mcp`, { method: 'POST', headers })
  const answered = once(call, 'response')
  call.write(body.slice(0, 1))
  await once(api.app.server, 'request')

  const closing = api.app.close()
  await until(() => !api.app.server.listening)
  call.end(body.slice(1))

  const [response] = await answered
  expect(response.statusCode).toBe(200)
  expect(await json(response)).toMatchObject({ result: { content: [{ type: 'text' }] } })
  await closing
})
