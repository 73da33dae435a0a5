import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { DashboardTemplate } from '#server/features/dashboards/templates/schema.ts'
import { fill } from '../../../test/fill.ts'
import { dashboard, dashboardItem, ME, pageOf, template } from '../../../test/fixtures.ts'
import { openPage } from '../../../test/render.tsx'
import { type FakeRequest, problem, type Routes } from '../../../test/server.ts'

const TEMPLATES = '/api/projects/1/dashboard_templates'
const DASHBOARDS = '/api/environments/1/dashboards'
const FROM_JSON = `POST ${DASHBOARDS}/create_from_template_json`

/** A template that lets the user choose the counted event. */
const OPEN_TEMPLATE = template({
  template_name: 'Counts one event',
  variables: [
    {
      id: 'EVENT',
      name: 'The event',
      type: 'event',
      description: 'Counted.',
      default: { id: '$pageview', math: 'dau' },
      required: true,
    },
  ],
  tiles: [
    {
      type: 'INSIGHT',
      name: 'Count',
      query: { kind: 'InsightVizNode', source: { kind: 'TrendsQuery', series: ['{EVENT}'] } },
    },
  ],
})

const openGallery = (templates: readonly DashboardTemplate[], routes: Routes = {}) =>
  openPage('/project/1/templates', { [`GET ${TEMPLATES}`]: pageOf(...templates), ...routes })

describe('template gallery', () => {
  it('does not count titles of sections as tiles', async () => {
    const title = { type: 'TEXT', body: 'Audience', section: 'open' }
    const [count] = OPEN_TEMPLATE.tiles
    await openGallery([template({ tiles: [count, title, count] } as object)])

    await screen.findByText('2 tiles')
  })

  it('shows the charts of a template, and hides their numbers from screen readers', async () => {
    const query = { kind: 'TrendsQuery', series: [], trendsFilter: { display: 'ActionsTable' } }
    const tiles = [
      { type: 'INSIGHT', name: 'Plans', query: { ...query, series: [{ event: 'paid' }] } },
      { type: 'TEXT', body: '**Words**' },
    ]
    // charts are drawn once they are seen
    const size = vi.spyOn(Element.prototype, 'getBoundingClientRect')
    size.mockReturnValue(new DOMRect(0, 0, 400, 200))
    onTestFinished(() => size.mockRestore())

    await openGallery([template({ tiles })])

    const table = await screen.findByRole('table', { hidden: true })
    expect(table.textContent).toContain('paid')
    expect(table.closest('[inert]')?.textContent).toContain('Words')
    expect(screen.queryByRole('table')).toBeNull()
  })

  it('asks for the events of the template variables', async () => {
    const { user, server, address } = await openGallery([OPEN_TEMPLATE], {
      [FROM_JSON]: dashboard({ id: 4 }),
      [`GET ${DASHBOARDS}/4*`]: dashboard({ id: 4 }),
    })

    await user.click(screen.getByRole('button', { name: 'Use Counts one event' }))
    const event = await screen.findByLabelText(/The event/)
    await user.clear(event)
    await fill(user, event, 'purchased')
    await user.click(screen.getByRole('button', { name: 'Create dashboard' }))

    await waitFor(() => expect(address()).toBe('/project/1/dashboards/4'))
    const [sent] = server.bodiesOf(FROM_JSON) as [{ template: { tiles: { query: object }[] } }]
    expect(sent.template.tiles[0]?.query).toMatchObject({
      source: {
        series: [{ kind: 'EventsNode', event: 'purchased', name: 'purchased', math: 'dau' }],
      },
    })
  })

  it('creates a template from a dashboard, and reports a taken name at its field', async () => {
    const CREATE = `POST ${TEMPLATES}`
    const taken = 'A dashboard template with this name already exists'
    const { user, server } = await openGallery([template()], {
      [`GET ${DASHBOARDS}`]: ({ query }: FakeRequest) =>
        pageOf(dashboardItem({ id: 7, name: query.get('search') === 'week' ? 'Weekly' : 'Other' })),
      [CREATE]: problem(400, taken, 'template_name'),
    })

    await user.click(screen.getByRole('button', { name: 'New template' }))
    await user.click(await screen.findByRole('menuitem', { name: 'From dashboard' }))
    const dialog = within(await screen.findByRole('dialog'))
    await fill(user, dialog.getByRole('combobox', { name: /Dashboard/ }), 'week')
    await user.click(await screen.findByRole('option', { name: 'Weekly' }))
    await fill(user, dialog.getByLabelText(/Template name/), 'Ours')
    await user.click(dialog.getByRole('button', { name: 'Create template' }))
    await dialog.findByText(taken)
    const ours = template({ id: 'ours', template_name: 'Ours', scope: 'team' })
    server.reply({ [CREATE]: ours, [`GET ${TEMPLATES}`]: pageOf(ours) })
    await user.click(dialog.getByRole('button', { name: 'Create template' }))

    await screen.findByRole('heading', { name: 'Ours' })
    expect(server.bodiesOf(CREATE).at(-1)).toEqual({ template_name: 'Ours', from_dashboard: 7 })
  })

  it('deletes a template and undoes it', async () => {
    const ours = template({ id: 'ours', template_name: 'Ours', scope: 'team' })
    let isDeleted = false
    const { user } = await openGallery([], {
      [`GET ${TEMPLATES}`]: () => (isDeleted ? pageOf() : pageOf(ours)),
      [`PATCH ${TEMPLATES}/ours`]: ({ body }: FakeRequest) => {
        isDeleted = (body as { deleted: boolean }).deleted
        return ours
      },
    })

    await user.click(screen.getByRole('button', { name: 'Actions for Ours' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    await screen.findByText('Deleted template “Ours”')
    await waitFor(() => expect(screen.queryByRole('heading', { name: 'Ours' })).toBeNull())
    await user.click(screen.getByRole('button', { name: 'Undo' }))

    await screen.findByRole('heading', { name: 'Ours' })
  })

  it('lets members use templates, but not create them', async () => {
    const member = { ...ME, organization: { ...ME.organization, membership_level: 1 } }
    await openGallery([template()], { 'GET /api/users/@me': member })

    expect(screen.getByRole('button', { name: 'Use SaaS metrics' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'New template' })).toBeNull()
  })
})

describe('new dashboard from JSON', () => {
  it('rejects malformed JSON and shows errors of the server', async () => {
    const { user, server } = await openPage('/project/1/dashboards', {
      [`GET ${DASHBOARDS}`]: pageOf(),
      [`GET ${DASHBOARDS}/tags`]: [],
      [FROM_JSON]: problem(400, 'tiles is a required property'),
    })
    await user.click(screen.getByRole('button', { name: 'New dashboard' }))
    await user.click(await screen.findByRole('menuitem', { name: 'From JSON' }))
    const json = await screen.findByLabelText('Template as JSON')
    const create = screen.getByRole('button', { name: 'Create dashboard' }) as HTMLButtonElement

    await user.click(json)
    await user.paste('{ "template_name": ')
    await screen.findByText('Not a JSON object.')
    expect(create.disabled).toBe(true)
    await user.paste('"x" }')
    await user.click(create)

    await screen.findByText('tiles is a required property')
    expect(server.bodiesOf(FROM_JSON)).toEqual([{ template: { template_name: 'x' } }])
  })
})
