import { describe, expect, it } from 'vitest'
import { useApp } from '../support/app/app.ts'

const SCRIPTS = /(?:href|src)="(\/assets\/[^"]+\.js)"/g
/** The files that draw charts. */
const CHARTS = /(drawn-chart|echarts|charts)-/

/** Weighs the scripts that the page of a dashboard links, in kilobytes as sent with gzip. */
async function weighDashboardScripts() {
  const { url } = await useApp()
  const html = await (await fetch(`${url}/project/1/dashboards/7`)).text()
  const files = [...html.matchAll(SCRIPTS)].map(([, file = '']) => file)
  const weighed = await Promise.all(
    files.map(async (file) => ({ file, kB: await weigh(url, file) })),
  )
  const sum = (isCounted: (file: string) => boolean) =>
    weighed.filter(({ file }) => isCounted(file)).reduce((all, { kB }) => all + kB, 0)
  return { app: sum((file) => !CHARTS.test(file)), charts: sum((file) => CHARTS.test(file)) }
}

async function weigh(url: string, file: string): Promise<number> {
  const { headers, body } = await fetch(url + file, { headers: { 'accept-encoding': 'gzip' } })
  await body?.cancel()
  return Number(headers.get('content-length')) / 1000
}

describe('first load of a dashboard', () => {
  it('stays small: less than 230 kB of scripts, and 208 kB for charts', async () => {
    const { app, charts } = await weighDashboardScripts()

    expect(app).toBeGreaterThan(150)
    expect(app).toBeLessThan(230)
    expect(charts).toBeGreaterThan(150)
    expect(charts).toBeLessThan(208)
  })
})
