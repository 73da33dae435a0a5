import { CONFIGS, DASHBOARDS, PROJECT, type TestApp } from '../support/app/app.ts'
import { installPlugin } from '../support/app/plugin.ts'
import { above } from '../support/data/alerts.ts'
import { newEvent } from '../support/data/events.ts'
import { createInsight } from '../support/data/insights.ts'
import { visits } from '../support/data/visits.ts'

/** The interface document's name for the UUID of a collaborator's user. */
export const COLLEAGUE = 'user__uuid'

/** An alert or subscription, and one of its deliveries. */
export interface Sending {
  readonly id: string | number
  readonly delivery: string
}

/** A record for every parameter of a path. */
export interface World {
  readonly project: number
  readonly plugin: number
  readonly config: number
  /** A config whose app accepts a file, with one attached. */
  readonly withFile: number
  /** A config whose app receives requests, and one that it received. */
  readonly receiving: { readonly config: number; readonly request: number; readonly token: string }
  readonly run: string
  readonly backfill: string
  readonly dashboard: number
  readonly insight: number
  readonly alert: Sending
  readonly subscription: Sending
  /** The ID of the project's own template. */
  readonly template: string
  /** The UUID of the collaborator's user. */
  readonly colleague: string
  /** The UUID of a user who is no collaborator. */
  readonly newcomer: string
  readonly token: string
  /** A public link beside the first one. */
  readonly link: number
  /** A guest of the link, and one of the insight's. */
  readonly guest: number
  readonly insightGuest: number
  /** A public link of the insight. */
  readonly insightLink: number
  readonly invite: { readonly id: string; readonly token: string }
  /** The ID of an owner's key that nothing else uses. */
  readonly spareKey: string
  /** A session of the owner. */
  readonly session: string
  /** The project's token for sending events. */
  readonly projectToken: string
  /** A distinct ID with events in the project. */
  readonly person: string
  /** A static cohort. */
  readonly cohort: number
  readonly annotation: number
  readonly comment: string
  readonly embedSecret: number
  readonly action: number
  readonly savedView: number
  readonly eventDefinition: string
  readonly propertyDefinition: string
}

/** Creates a custom app, a config with a run, two dashboards (one a copy) and a template, a collaborator and an event. */
export async function createWorld(api: TestApp): Promise<World> {
  const { body: config } = await api.post(CONFIGS, { plugin: 1, enabled: true })
  const { body: withFile } = await api.post(CONFIGS, { plugin: 2 })
  await api.request('PUT', `${CONFIGS}/${withFile.id}/attachments/file`, 'a,b')
  const receiving = await createReceiving(api)
  const named = { accept: 'application/json' }
  const { body: run } = await api.post(`${CONFIGS}/${config.id}/job`, {}, named)
  const past = { from: '2025-01-01', to: '2025-01-03' }
  const { body: backfill } = await api.post(`${CONFIGS}/${config.id}/backfill`, past)
  const { body: source } = await api.post(DASHBOARDS)
  // one insight, because some walks draw the dashboard several times
  await createInsight(api, { name: 'Visits', query: visits(), dashboards: [source.id] })
  const text = { text: { body: 'Hello' } }
  const copy = { name: 'Copy', tags: ['a'], use_dashboard: source.id, tiles: [text] }
  const { body: dashboard } = await api.post(DASHBOARDS, copy)
  const own = { template_name: 'Own template', from_dashboard: dashboard.id }
  const { body: template } = await api.post('dashboard_templates', own)
  const insight = dashboard.tiles[0].insight.id
  const alert = await createSending(api, 'alerts', {
    insight,
    ...above(1),
    targets: [{ type: 'webhook', url: 'https://example.com' }],
    enabled: false, // otherwise its state would change whenever the insight is computed
  })
  const subscription = await createSending(api, 'subscriptions', {
    dashboard: dashboard.id,
    frequency: 'daily',
    target_type: 'webhook',
    target_value: 'https://example.com',
  })
  const colleague = await api.as({})
  const newcomer = await api.as({})
  const here = `${DASHBOARDS}/${dashboard.id}`
  await api.post(`${here}/collaborators`, { user_uuid: colleague.uuid, level: 37 })
  const { body: project } = await api.get(PROJECT)
  await api.services.events.append(api.projectId, [newEvent({ distinct_id: 'ada' })])
  const members = { name: 'Customers', is_static: true, distinct_ids: ['ada'] }
  const { body: cohort } = await api.post('cohorts', members)
  const action = await api.post('actions', { name: 'Visited', steps: [{ event: '$pageview' }] })
  const view = await api.post('saved_views', { name: 'Today', page: 'events', filters: {} })
  const { body: annotation } = await api.post('annotations', { content: 'Launch' })
  const on = { scope: 'Dashboard', item_id: dashboard.id }
  const { body: embedSecret } = await api.post('embed_secrets')
  const { body: comment } = await api.post('comments', { content: 'Why?', ...on })
  const { body: eventNames } = await api.get('event_definitions')
  const { body: propertyNames } = await api.get('property_definitions')
  await api.withSession()
  const { body: sessions } = await api.get('/api/users/@me/sessions')
  const { body: sharing } = await api.patch(`${here}/sharing`, { enabled: true })
  const { body: link } = await api.post(`${here}/sharing/links`, { label: 'Board' })
  const ofInsight = `insights/${insight}/sharing/links`
  const { body: insightLink } = await api.post(ofInsight, { label: 'Board' })
  const invited = { email: 'ada@example.com' }
  const { body: guest } = await api.post(`${here}/sharing/links/${link.id}/guests`, invited)
  const { body: insightGuest } = await api.post(`${ofInsight}/${insightLink.id}/guests`, invited)
  const { body: invite } = await api.post('/api/organizations/@current/invites', { level: 1 })
  const spare = { label: 'Spare', scopes: ['query:read'] }
  const { body: spareKey } = await api.post('/api/personal_api_keys', spare)
  return {
    invite: { id: invite.id, token: invite.link.split('/').at(-1) },
    spareKey: spareKey.id,
    project: api.projectId,
    plugin: await installPlugin(api.db, {}),
    config: config.id,
    withFile: withFile.id,
    receiving,
    run: run.id,
    backfill: backfill.id,
    dashboard: dashboard.id,
    insight,
    alert,
    subscription,
    template: template.id,
    colleague: colleague.uuid,
    newcomer: newcomer.uuid,
    token: sharing.access_token,
    link: link.id,
    insightLink: insightLink.id,
    guest: guest.id,
    insightGuest: insightGuest.id,
    session: sessions.results[0].id,
    projectToken: project.api_token,
    person: 'ada',
    cohort: cohort.id,
    annotation: annotation.id,
    comment: comment.id,
    embedSecret: embedSecret.id,
    action: action.body.id,
    savedView: view.body.id,
    eventDefinition: eventNames.results[0].id,
    propertyDefinition: propertyNames.results[0].id,
  }
}

/** Disabled, so that no worker handles the request while a test walks the routes. */
async function createReceiving(api: TestApp): Promise<World['receiving']> {
  const { body: config } = await api.post(CONFIGS, { plugin: 5 })
  const here = `${CONFIGS}/${config.id}`
  const { body: address } = await api.patch(`${here}/address`, { while_disabled: 'hold' })
  await api.patch(`${here}/settings`, { settings: { verify: 'token', secret: 'known' } })
  const headers = { authorization: 'Bearer known' }
  await fetch(api.address(address.path), { method: 'POST', headers, body: '{"a":1}' })
  const { body: requests } = await api.get(`${here}/requests`)
  return {
    config: config.id,
    request: requests.results[0].id,
    token: address.path.split('/').at(-1),
  }
}

async function createSending(api: TestApp, path: string, body: object): Promise<Sending> {
  const { body: made } = await api.post(path, body)
  const { body: deliveries } = await api.post(`${path}/${made.id}/test`)
  return { id: made.id, delivery: deliveries[0].id }
}

/** Replaces the parameters of `/a/:id` or `/a/{id}` with the world's IDs. */
export function fillPath(path: string, world: World): string {
  const values: Record<string, string | number> = {
    project_id: world.project,
    organization_id: '@current',
    id: idIn(path, world),
    dashboard_id: world.dashboard,
    run_id: world.run,
    link_id: path.includes('/insights') ? world.insightLink : world.link,
    guest_id: path.includes('/insights') ? world.insightGuest : world.guest,
    insight_id: world.insight,
    backfill_id: world.backfill,
    request_id: world.receiving.request,
    delivery_id: (path.includes('/alerts') ? world.alert : world.subscription).delivery,
    key: 'file',
    version: '1.0.0',
    [COLLEAGUE]: world.colleague,
    file: `${world.token}.json`,
    project: world.project,
    token: tokenIn(path, world),
    project_token: world.projectToken,
    distinct_id: world.person,
  }
  const about = /^\/api\/(organizations\/[^/]+\/)?projects\/(:id|\{id\})/.test(path)
  return path.replace(/:(\w+)|\{(\w+)\}/g, (_, plain, braced) => {
    const name = plain ?? braced
    const value = name === 'id' && about ? world.project : values[name]
    if (value === undefined) throw new Error(`No record for ${name} in ${path}`)
    return String(value)
  })
}

function tokenIn(path: string, world: World): string {
  if (path.startsWith('/in/')) return world.receiving.token
  return path.includes('/invite') ? world.invite.token : world.token
}

function idIn(path: string, world: World): number | string {
  if (/\/(address|requests)\b/.test(path)) return world.receiving.config
  if (path.includes('/event_definitions')) return world.eventDefinition
  if (path.includes('/property_definitions')) return world.propertyDefinition
  if (path.includes('/saved_views')) return world.savedView
  if (path.includes('/actions')) return world.action
  if (path.includes('/annotations')) return world.annotation
  if (path.includes('/embed_secrets')) return world.embedSecret
  if (path.includes('/comments')) return world.comment
  if (path.includes('/cohorts/')) return world.cohort
  if (path.includes('/persons')) return world.person
  if (path.includes('/invites')) return world.invite.id
  if (path.includes('/personal_api_keys')) return world.spareKey
  if (path.includes('/sessions')) return world.session
  if (path.includes('/alerts')) return world.alert.id
  if (path.includes('/subscriptions')) return world.subscription.id
  if (path.includes('/insights')) return world.insight
  if (path.includes('/dashboard_templates')) return world.template
  if (path.includes('/plugins')) return world.plugin
  if (path.includes('/attachments')) return world.withFile
  return path.includes('pipeline') ? world.config : world.dashboard
}

/** Every path below a project has a second URL. */
export const toAlias = (path: string): string =>
  path.startsWith('/api/projects/')
    ? path.replace('/api/projects/', '/api/environments/')
    : path.replace('/api/environments/', '/api/projects/')
