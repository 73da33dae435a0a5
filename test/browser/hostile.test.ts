import { describe, expect, it } from 'vitest'
import type { TestResponse } from '../support/app/app.ts'
import { PROJECT } from '../support/app/app.ts'
import { createDashboard } from '../support/data/dashboards.ts'
import { createInsight } from '../support/data/insights.ts'
import { visits } from '../support/data/visits.ts'
import { isFull } from '../support/vitest/effort.ts'
import { expectNoProblems, openBrowser, startWeb, type Web } from './browser.ts'

/** Runs if it is rendered as markup, and breaks out of most quotes. */
const SCRIPT = `'"><img src=x onerror="window.hacked=1"><script>window.hacked=1</script>\${1}{{1}}`
const LINK = '[click](javascript:window.hacked=1) ![x](x" onerror="window.hacked=1)'

/** Puts markup into every name. */
async function startHostile() {
  const web = await startWeb()
  const { api } = web
  const refusals: string[] = []
  const note = async (made: Promise<TestResponse>) => {
    const { status, text } = await made
    if (status >= 300) refusals.push(text)
  }
  await note(api.patch('/api/users/@me', { first_name: SCRIPT, last_name: SCRIPT }))
  await note(api.patch('/api/organizations/@current', { name: SCRIPT }))
  await note(api.patch(PROJECT, { name: SCRIPT }))
  const insight = await createInsight(api, {
    name: SCRIPT,
    description: SCRIPT,
    tags: [SCRIPT],
    query: visits(),
  })
  const dashboard = await createDashboard(api, {
    name: SCRIPT,
    description: SCRIPT,
    tags: [SCRIPT],
    tiles: [{ text: { body: `# ${SCRIPT}\n\n${LINK}` } }, { insight: { id: insight.id } }],
  })
  await note(
    api.post('dashboard_templates', {
      template_name: SCRIPT,
      from_dashboard: dashboard.id,
    }),
  )
  await note(api.post('pipeline_import_apps_configs', { plugin: 1, name: SCRIPT }))
  await note(
    api.post('/api/personal_api_keys', {
      label: SCRIPT.slice(0, 40),
      scopes: ['*'],
      scoped_teams: [],
      scoped_organizations: [],
    }),
  )
  await api.as({ level: 1 })
  const { api_token } = (await api.get(PROJECT)).body
  await note(
    api.post('/batch', {
      api_key: api_token,
      batch: [{ event: SCRIPT, distinct_id: SCRIPT, properties: { [SCRIPT]: SCRIPT } }],
    }),
  )
  expect(refusals).toEqual([])
  const { body } = await api.patch(`dashboards/${dashboard.id}/sharing`, {
    enabled: true,
  })
  return { ...web, dashboard, insight, token: body.access_token as string }
}

async function expectHarmless(web: Pick<Web, 'page' | 'problems'>, path: string): Promise<void> {
  await web.page.goto(path)
  await web.page.getByRole('heading', { level: 1 }).first().waitFor()
  await web.page.waitForLoadState('networkidle')
  expect(await web.page.evaluate('window.hacked'), path).toBeUndefined()
  expect(await web.page.locator('img[src="x"]').count(), path).toBe(0)
}

describe('markup in every name', () => {
  it('is shown as plain text on every page', async () => {
    const { dashboard, insight, token, ...web } = await startHostile()
    const pages = ['insights', 'apps/1', 'events', 'settings/members', 'settings/keys']
    const more = [
      ...['dashboards', 'templates', 'apps', 'apps/gallery', 'activity'],
      ...[`dashboards/${dashboard.id}`, `insights/${insight.short_id}`],
      ...['project', 'projects', 'account', 'alerts'].map((section) => `settings/${section}`),
    ]

    for (const page of isFull ? [...pages, ...more] : pages)
      await expectHarmless(web, `/project/1/${page}`)
    await web.page.goto(`/project/1/dashboards/${dashboard.id}`)
    const heading = web.page.getByRole('heading', { level: 1 }).first()
    await heading.waitFor()
    expect(await heading.textContent()).toContain(SCRIPT)

    expectNoProblems(web)
    const stranger = await openBrowser(web.api, { as: null })
    await expectHarmless(stranger, `/shared/${token}`)
    await expectHarmless(stranger, `/embedded/${token}`)
    expectNoProblems(stranger)
  })
})
