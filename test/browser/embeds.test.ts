import { describe, expect, it } from 'vitest'
import { createDashboard } from '../support/data/dashboards.ts'
import { inSeconds, signEmbed } from '../support/data/embeds.ts'
import { addVisits, visits } from '../support/data/visits.ts'
import { until } from '../support/until.ts'
import { expectNoProblems, openBrowser, openWeb } from './browser.ts'
import { startSite } from './site.ts'

const toHost = (server: string): string => `<!doctype html>
<html><head><title>Shop</title><link rel="icon" href="data:,"></head><body><div id="sales"></div>
<script src="${server}/embed.js"></script>
<script>window.remove = hedgerowEmbed(document.getElementById('sales'), () => window.signToken())</script>
</body></html>`

describe('a signed embed', () => {
  it('is signed with a secret of the settings, fits its content and renews its token', async () => {
    const web = await openWeb()
    const { api, page } = web
    await addVisits(api, 3, { properties: { tenant: 'acme' } })
    await addVisits(api, 40, { properties: { tenant: 'globex' } })
    const { id: dashboard } = await createDashboard(api, {
      name: 'Sales',
      tiles: [{ insight: { name: 'Visits', query: visits() } }],
    })

    await page.goto(`/project/${api.projectId}/settings/project`)
    await page.getByRole('button', { name: 'Create secret' }).click()
    const secret = await page.getByTestId('shown-once').innerText()
    await page.keyboard.press('Escape')
    const row = page.getByRole('region', { name: 'Signed embeds' }).getByRole('listitem')
    const kid = await row.locator('code').innerText()

    const host = await openBrowser(api, { as: null, changesClock: true })
    const tokens: string[] = []
    await host.page.exposeFunction('signToken', () => {
      const filters = { properties: [{ key: 'tenant', value: 'acme' }] }
      const exp = inSeconds(tokens.length === 0 ? 40 : 3600)
      tokens.push(signEmbed({ kid, secret }, { dashboard, filters, exp, jti: `${tokens.length}` }))
      return tokens.at(-1)
    })
    await host.page.clock.install()
    await host.page.goto(await startSite({ '/': toHost(api.url) }))
    const frame = host.page.frameLocator('iframe')
    const chart = frame.getByRole('img', { name: 'Visits' })
    await chart.getByText('3', { exact: true }).waitFor()
    const heightOf = (selector: string) =>
      host.page.locator(selector).evaluate((element) => element.getBoundingClientRect().height)
    const content = () =>
      frame.locator('body').evaluate((body) => body.getBoundingClientRect().height)
    await until(async () => Math.abs((await heightOf('iframe')) - (await content())) < 2)
    expect(await content()).toBeGreaterThan(200)

    await host.page.clock.fastForward(31_000)
    const link = frame.getByRole('link', { name: 'CSV' })
    await until(async () => (await link.getAttribute('href'))?.includes(tokens[1] ?? '-') === true)
    expect(tokens).toHaveLength(2)
    expect(await frame.getByText('43', { exact: true }).count()).toBe(0)

    await page.getByRole('button', { name: `Revoke ${kid}` }).click()
    await page.getByRole('button', { name: 'Revoke secret' }).click()
    await page.getByText('No secrets yet').waitFor()
    await until(async () => {
      await host.page.clock.fastForward(1100)
      return (await frame.getByText("This page can't be shown").count()) > 0
    })
    await host.page.evaluate('window.remove()')
    expect(await host.page.locator('iframe').count()).toBe(0)
    expectNoProblems(web)
    expectNoProblems(host)
  })
})
