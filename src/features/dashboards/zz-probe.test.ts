import { expect, it } from 'vitest'
import { DASHBOARDS, startApp } from '../../../test/app.ts'
import { createDashboard, pathOf } from '../../../test/dashboards.ts'
it('probe', async () => {
  const api = await startApp()
  await createDashboard(api)
  for (const [m, p, b] of [
    ['GET', `${DASHBOARDS}?offset=99999999999999999999`],
    ['GET', `${DASHBOARDS}?offset=1e400`],
    ['GET', `${DASHBOARDS}?limit=1e400`],
    ['GET', `${DASHBOARDS}?limit=0x10`],
    ['GET', `${DASHBOARDS}?search=%ff`],
    ['GET', `${DASHBOARDS}?search=a&search=b`],
    ['GET', `${DASHBOARDS}?tags[]=a`],
    ['GET', `${DASHBOARDS}?created_by=1&created_by=2`],
    ['GET', `/shared/${'a'.repeat(500)}.json`],
    ['GET', `/shared/${'a'.repeat(30)}.json/`],
    ['GET', `/shared/%00.json`],
    ['GET', `/shared/${'a'.repeat(30)}`],
    ['POST', pathOf(1, '/sharing/refresh')],
    ['PATCH', pathOf(1, '/sharing')],
    ['PATCH', pathOf(1)],
    ['POST', DASHBOARDS, 'null'],
    ['GET', pathOf(1, '/collaborators?limit=x')],
    ['GET', pathOf('01')],
    ['POST', DASHBOARDS, JSON.stringify({ tiles: Array.from({ length: 20000 }, () => ({ text: {} })) })],
    ['GET', pathOf(2)],
    ['POST', DASHBOARDS, JSON.stringify({ use_dashboard: 2 })],
    ['POST', DASHBOARDS, JSON.stringify({ tiles: Array.from({ length: 40000 }, () => ({ insight: {} })) })],
    ['PATCH', pathOf(4), JSON.stringify({ deleted: true, delete_insights: true })],
  ] as const) {
    const t = performance.now()
    const r = await fetch(api.url + p, { method: m, headers: { authorization: 'Bearer phx_0000000000000000000000000000000000000000000', ...(b && {'content-type': 'application/json'}) }, body: b })
    const text = await r.text()
    console.log(process.env.TEST_DATABASE, m, p.slice(0, 80), r.status, text.slice(0, 200), Math.round(performance.now() - t))
  }
}, 200000)
