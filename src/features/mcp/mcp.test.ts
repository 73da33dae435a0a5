import { describe, expect, it } from 'vitest'
import { useApp } from '../../../test/support/app/app.ts'
import { callTool, connectMcp } from '../../../test/support/app/mcp.ts'
import { createDashboard } from '../../../test/support/data/dashboards.ts'

describe.each(['legacy', 'auto'] as const)('an MCP client that negotiates %s', (mode) => {
  it('connects and is told what the server offers', async () => {
    const api = await useApp()

    const client = await connectMcp(api, undefined, { mode })

    expect(client.getServerVersion()).toMatchObject({ name: 'hedgerow', title: 'Hedgerow' })
    expect(client.getServerCapabilities()).toEqual({ tools: {} })
    expect(client.getInstructions()).toContain('event-definitions-list')
    expect(client.getNegotiatedProtocolVersion()).toBe(
      mode === 'auto' ? '2026-07-28' : '2025-11-25',
    )
  })

  it('builds a dashboard, reads it back and deletes it', async () => {
    const api = await useApp()
    const client = await connectMcp(api, undefined, { mode })
    const query = { kind: 'TrendsQuery', series: [{ event: 'order' }] }

    const created = await callTool(client, 'dashboard-create', { name: 'Sales' })
    const { id } = created.value
    await callTool(client, 'insight-create', { name: 'Orders', query, dashboards: [id] })
    const read = await callTool(client, 'dashboard-get', { id: String(id) })
    await callTool(client, 'dashboard-delete', { id: String(id) })

    expect(read.value).toMatchObject({ id, name: 'Sales', tiles: [{ insight: { query } }] })
    expect(read.value.tiles[0].insight).not.toHaveProperty('result')
    expect((await api.get(`dashboards/${id}`)).body).toMatchObject({ name: 'Sales', deleted: true })
    const { body: log } = await api.get(`dashboards/${id}/activity`)
    expect(log.results.map((entry: { activity: string }) => entry.activity)).toEqual([
      'deleted',
      'updated',
      'created',
    ])
  })

  it('reports what the API refuses as a result that a model can read', async () => {
    const api = await useApp()
    const client = await connectMcp(api, undefined, { mode })

    const missing = await callTool(client, 'dashboard-get', { id: '987654321' })
    const invalid = await callTool(client, 'dashboard-create', { name: 'a'.repeat(401) })

    expect(missing).toMatchObject({ isError: true, value: 'Not found.' })
    expect(invalid).toMatchObject({
      isError: true,
      value: 'name: Ensure this field has no more than 400 characters.',
    })
  })

  it('cannot call a tool that does not exist', async () => {
    const api = await useApp()
    const client = await connectMcp(api, undefined, { mode })

    const call = client.callTool({ name: 'dashboard-explode', arguments: {} })

    await expect(call).rejects.toMatchObject({ code: -32602, message: /Unknown tool/ })
  })
})

describe('the project of a call', () => {
  it('is the current one, the one in the header, or the one in the arguments', async () => {
    const api = await useApp()
    const other = await api.createProject()
    const third = await api.createProject()
    const member = await api.as({ memberOf: [api.projectId, other, third] })
    await createDashboard(member, { name: 'Current' })
    await member.post(api.path('dashboards', other), { name: 'Header' })
    await member.post(api.path('dashboards', third), { name: 'Argument' })
    const inCurrent = await connectMcp(api, member.key, {
      headers: { 'x-posthog-project-id': '@current' },
    })
    const pinned = await connectMcp(api, member.key, {
      headers: { 'x-posthog-project-id': String(other) },
    })

    const results = [
      await callTool(inCurrent, 'dashboards-get-all'),
      await callTool(pinned, 'dashboards-get-all'),
      await callTool(pinned, 'dashboards-get-all', { project_id: third }),
    ]

    const names = results.map(({ value }) =>
      value.results.map((each: { name: string }) => each.name),
    )
    expect(names).toEqual([['Current'], ['Header'], ['Argument']])
  })
})

describe('a client of 2024-11-05', () => {
  const message = (id: number, method: string, params: object) => ({
    ...{ jsonrpc: '2.0', id, method, params },
  })
  const requested = { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'old' } }

  it('negotiates its version, and lists and calls tools without naming it again', async () => {
    const api = await useApp()
    const headers = { accept: 'application/json, text/event-stream' }

    const opened = await api.post('/mcp', message(0, 'initialize', requested), headers)
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' }
    const noted = await api.post('/mcp', notification, headers)
    const listed = await api.post('/mcp', message(1, 'tools/list', {}), headers)
    const call = { name: 'projects-get', arguments: {} }
    const called = await api.post('/mcp', message(2, 'tools/call', call), headers)

    expect(opened.body).toMatchObject({
      ...{ jsonrpc: '2.0', id: 0 },
      result: { protocolVersion: '2024-11-05', capabilities: { tools: {} } },
    })
    expect(opened.headers.get('mcp-session-id')).toBe(null)
    expect([noted.status, noted.text]).toEqual([202, ''])
    expect(listed.body.result.tools[0]).toMatchObject({
      ...{ name: expect.any(String), description: expect.any(String) },
      inputSchema: { type: 'object' },
    })
    expect(Object.keys(called.body.result)).toEqual(['content'])
  })

  it('may name its version in the header, as bridges do', async () => {
    const api = await useApp()
    const headers = { 'mcp-protocol-version': '2024-11-05' }

    const { status, body } = await api.post('/mcp', message(1, 'ping', {}), headers)

    expect({ status, ...body }).toEqual({ status: 200, jsonrpc: '2.0', id: 1, result: {} })
  })
})
