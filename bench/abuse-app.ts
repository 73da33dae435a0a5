import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Target } from './abuse-load.ts'
import { addConfig, CONFIGS, call } from './api.ts'

const FLOOD = `
  export const jobs = {
    async flood({ url }, { cache }) {
      const megabyte = 'x'.repeat(1024 * 1024)
      for (let i = 0; ; i++) {
        fetch(url, { method: 'POST', body: megabyte }).catch(() => {})
        cache.lpush('list', [megabyte]).catch(() => {})
        for (let j = 0; j < 100; j++) {
          console.log('line ' + j)
          posthog.capture('flood', { distinct_id: 'ada', j })
        }
        await new Promise((resolve) => resolve())
        if (i % 5 === 0) await cache.get('absent', null)
      }
    },
  }
`
const MANIFEST = { name: 'Flood', publicJobs: { flood: { payload: { url: { type: 'string' } } } } }

/** Runs an app that uploads, logs, captures and caches as fast as it can, and awaits none of it. */
export async function floodFromApp(server: Target): Promise<void> {
  const tarpit = createServer(() => {}) // neither reads nor responds
  await new Promise<void>((resolve) => tarpit.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(tarpit.address() as AddressInfo).port}/`
  const { id: plugin } = await call(server, 'POST', '/api/organizations/@current/plugins', {
    plugin_type: 'source',
    name: 'Flood',
    files: { 'plugin.json': JSON.stringify(MANIFEST), 'index.ts': FLOOD },
  })
  const config = await addConfig(server, plugin, {})
  const job = { type: 'flood', payload: { url } }
  await call(server, 'POST', `${CONFIGS}/${config}/job`, { job })
  await wait(6000)
  await call(server, 'DELETE', `${CONFIGS}/${config}`)
  tarpit.closeAllConnections()
  tarpit.close()
}
