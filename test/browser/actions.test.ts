import { expect, it } from 'vitest'
import { expectAccessible, MANY_CHECKS_MS } from './accessible.ts'
import { expectNoProblems, openWeb } from './browser.ts'

it(
  'creates an action with a live list of its events, and counts it in an insight',
  async () => {
    const web = await openWeb({ bypassCSP: true })
    const { api, page } = web
    const { body } = await api.get('')
    const visit = (distinct_id: string, url: string) => ({
      event: '$pageview',
      distinct_id,
      properties: { $current_url: `https://shop.test${url}` },
    })
    const click = (distinct_id: string, text: string) => ({
      event: '$autocapture',
      distinct_id,
      properties: { $el_text: text },
    })
    const batch = [visit('ada', '/thanks?a=1'), visit('bob', '/shop'), click('cy', 'Buy')]
    await api.post('/batch', { api_key: body.api_token, batch })
    await page.goto(`/project/${api.projectId}/data`)
    await page.getByRole('link', { name: 'Actions' }).click()

    await page.getByText('No actions yet').waitFor()
    await page.getByRole('button', { name: 'New action' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Bought')
    const matching = page.getByRole('region', { name: 'Matching events' })
    const create = page.getByRole('button', { name: 'Create action' })
    expect(await create.isDisabled()).toBe(true)
    const first = page.getByRole('group', { name: 'Step 1' })
    await first.getByRole('combobox', { name: 'Event' }).click()
    await page.getByRole('option', { name: 'Page view' }).click()
    await expect.poll(() => matching.getByRole('listitem').count()).toBe(2)
    await first.getByRole('textbox', { name: 'URL' }).fill('/thanks')
    await expect.poll(() => matching.getByRole('listitem').count()).toBe(1)
    await page.getByRole('button', { name: 'Add step' }).click()
    const second = page.getByRole('group', { name: 'Step 2' })
    await second.getByRole('textbox', { name: 'Clicked text' }).fill('Buy')
    await expect.poll(() => matching.getByRole('listitem').count()).toBe(2)
    await expectAccessible(page)
    await create.click()

    await page.getByText('Page view where URL contains “/thanks”, or Any event').waitFor()
    await expectAccessible(page)
    await page.goto(`/project/${api.projectId}/insights/new`)
    await page.getByRole('combobox', { name: 'Event of series A' }).click()
    await page.getByRole('option', { name: 'Bought' }).click()
    const measure = page.getByRole('combobox', { name: 'Measure of series A' })
    await measure.waitFor()
    await page.getByRole('button', { name: 'Save' }).first().click()
    await page.waitForURL(/insights\/(?!new)/)

    const [insight] = (await api.get('insights')).body.results
    const [action] = (await api.get('actions')).body.results
    expect(insight.query.source.series).toMatchObject([
      { kind: 'ActionsNode', id: action.id, name: 'Bought' },
    ])
    const { body: run } = await api.post('query', { query: insight.query })
    expect(run.results[0]).toMatchObject({ count: 2, label: 'Bought' })

    await page.goto(`/project/${api.projectId}/actions/${action.id}`)
    await page.getByRole('button', { name: 'Remove step 2' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(/actions$/)
    const { body: rerun } = await api.post('query', { query: insight.query })
    expect(rerun.results[0]).toMatchObject({ count: 1 })
    expectNoProblems(web)
  },
  MANY_CHECKS_MS,
)

it(
  'chooses an action for a list of events, a cohort and paths',
  async () => {
    const web = await openWeb()
    const { api, page } = web
    const { body } = await api.get('')
    const send = (event: string, distinct_id: string, properties: object = {}) =>
      api.post('/batch', { api_key: body.api_token, batch: [{ event, distinct_id, properties }] })
    await send('order placed', 'ada', { plan: 'pro' })
    await send('order placed', 'bob', { plan: 'free' })
    await send('left', 'cy')
    const steps = [{ event: 'order placed', properties: [{ key: 'plan', value: 'pro' }] }]
    const { body: action } = await api.post('actions', { name: 'Bought', steps })

    await page.goto(`/project/${api.projectId}/events`)
    await page.getByRole('link', { name: 'bob' }).waitFor()
    await page.getByRole('combobox', { name: 'Event' }).click()
    await page.getByRole('option', { name: 'Bought' }).click()
    await page.getByRole('link', { name: 'bob' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'ada' }).waitFor()
    expect(new URL(page.url()).searchParams.get('action')).toBe(`${action.id}`)
    await send('order placed', 'eve', { plan: 'pro' })
    await page.getByRole('link', { name: 'eve' }).waitFor()
    await page.getByRole('link', { name: 'Create insight' }).click()
    const series = page.getByRole('combobox', { name: 'Event of series A' })
    await expect.poll(() => series.inputValue()).toBe('Bought')

    await page.goto(`/project/${api.projectId}/cohorts`)
    await page.getByRole('button', { name: 'New cohort' }).click()
    const dialog = page.getByRole('dialog', { name: 'New cohort' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Buyers')
    await dialog.getByRole('combobox', { name: 'Condition' }).click()
    await page.getByRole('option', { name: 'Did an event' }).click()
    await dialog.getByRole('combobox', { name: 'Event' }).click()
    await page.getByRole('option', { name: 'Bought' }).click()
    await dialog.getByText('Matches 2 persons now.').waitFor()
    await dialog.getByRole('button', { name: 'Create cohort' }).click()
    await page.getByText('Persons who did “Bought” in the last 30 days.').waitFor()

    await page.goto(`/project/${api.projectId}/insights/new`)
    await page.getByRole('tab', { name: 'Paths' }).click()
    await page.getByRole('combobox', { name: 'Actions' }).click()
    await page.getByRole('option', { name: 'Bought' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Save' }).first().click()
    await page.waitForURL(/insights\/(?!new)/)
    const [insight] = (await api.get('insights')).body.results
    expect(insight.query.source.pathsFilter.includeActions).toMatchObject([{ id: action.id }])
    expectNoProblems(web)
  },
  MANY_CHECKS_MS,
)
