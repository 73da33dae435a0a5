import { type Exchange, refresh } from './exchange.ts'

const ORGANIZATION = '/api/organizations/$organization'

const project = {
  id: '$new',
  name: 'Shop',
  organization: '$organization',
  api_token: '$token',
  timezone: 'Europe/Berlin',
}
const renamed = { ...project, name: 'Store', timezone: 'UTC' }
const organization = { id: '$organization', slug: 'my-organization', name: 'My organization' }

export const projects: readonly Exchange[] = [
  { step: 'apply', send: 'GET /api/organizations/', reads: 'organizations' },
  {
    step: 'apply',
    send: 'GET /api/organizations/@current/',
    reads: 'organization',
    state: organization,
  },
  {
    step: 'apply',
    send: `POST ${ORGANIZATION}/projects/`,
    body: { name: 'Shop', timezone: 'Europe/Berlin' },
    saves: { new: 'id', token: 'api_token' },
    reads: 'project',
    state: project,
  },
  ...refresh({ send: `GET ${ORGANIZATION}/projects/$new/`, reads: 'project', state: project }),
  {
    step: 'update',
    send: `PATCH ${ORGANIZATION}/projects/$new/`,
    body: { name: 'Store', timezone: 'UTC' },
    reads: 'project',
    state: renamed,
  },
  ...refresh({ send: `GET ${ORGANIZATION}/projects/$new/`, reads: 'project', state: renamed }),
  { step: 'destroy', send: `DELETE ${ORGANIZATION}/projects/$new/`, status: 204 },
  { step: 'gone', send: `GET ${ORGANIZATION}/projects/$new/`, status: 404 },
]

const FILTERS = [{ key: 'email', type: 'person', value: 'example.com', operator: 'not_icontains' }]
const settings = {
  id: '$project',
  session_recording_opt_in: false,
  heatmaps_opt_in: false,
  cookieless_server_hash_mode: 0,
  anonymize_ips: true,
  app_urls: null,
  test_account_filters: FILTERS,
}

/** Destroying the settings of a project sends nothing. */
export const projectSettings: readonly Exchange[] = [
  {
    step: 'apply',
    send: 'PATCH /api/environments/$project/',
    body: {
      session_recording_opt_in: false,
      anonymize_ips: true,
      app_urls: [],
      test_account_filters: FILTERS,
    },
    reads: 'settings',
    state: settings,
  },
  ...refresh({ send: 'GET /api/environments/$project/', reads: 'settings', state: settings }),
  {
    step: 'update',
    send: 'PATCH /api/environments/$project/',
    body: { anonymize_ips: false, test_account_filters: [] },
    reads: 'settings',
    state: { ...settings, anonymize_ips: false, test_account_filters: null },
  },
  {
    step: 'update',
    send: 'PATCH /api/environments/$project/',
    body: { session_recording_opt_in: true },
    status: 400,
  },
]

/** A membership exists already; Terraform adopts it, and finds it in the list. */
export const members: readonly Exchange[] = [
  { step: 'apply', send: `GET ${ORGANIZATION}/members/`, reads: 'members' },
  {
    step: 'apply',
    send: `PATCH ${ORGANIZATION}/members/$colleague/`,
    body: { level: 8 },
    reads: 'member',
  },
  { step: 'destroy', send: `DELETE ${ORGANIZATION}/members/$colleague/`, status: 204 },
  { step: 'gone', send: `DELETE ${ORGANIZATION}/members/$colleague/`, status: 404 },
]
