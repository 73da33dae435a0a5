import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { WEB_DIST } from '#server/http/web-app.ts'
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
  it('stays small: less than 240 kB of scripts, and 215 kB for charts', async () => {
    const { app, charts } = await weighDashboardScripts()

    expect(app).toBeGreaterThan(150)
    expect(app).toBeLessThan(240)
    expect(charts).toBeGreaterThan(150)
    expect(charts).toBeLessThan(215)
  })
})

/** Lists a built file and everything that it imports at once. */
function listImports(folder: string, file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found
  found.add(file)
  const code = readFileSync(join(folder, file), 'utf8')
  for (const [, name = ''] of code.matchAll(/(?:from|import)"\.\/([^"]+\.js)"/g)) {
    listImports(folder, name, found)
  }
  return found
}

it('the menu of saved views, which a dashboard shows at once, loads no forms', () => {
  const folder = join(WEB_DIST, 'assets')
  const [menu = ''] = globSync('views-menu-*.js', { cwd: folder })

  const loaded = [...listImports(folder, menu)].map((file) => file.replace(/-.{7}\.js$/, ''))

  expect(loaded).toContain('views-menu')
  expect(loaded.filter((name) => /^(use-form|form-dialog|Modal|TextInput)/.test(name))).toEqual([])
})

it('the charts of a public link load nothing else of the app', () => {
  const folder = join(WEB_DIST, 'assets')
  const [drawing = ''] = globSync('live-chart-*.js', { cwd: folder })

  const loaded = [...listImports(folder, drawing)].map((file) => file.replace(/-.{7}\.js$/, ''))

  expect(loaded).toContain('charts')
  expect(loaded.filter((name) => /^(react|mantine|shared|index)/.test(name))).toEqual([])
})
