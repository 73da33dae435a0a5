import packageJson from '../package.json' with { type: 'json' }

/** The head of the OpenAPI document. */
export const API_INFO = {
  title: 'Hedgerow',
  version: packageJson.version,
  description:
    'Import apps and dashboards of a project, over HTTP and JSON. Every path under `/api/projects/{project_id}` works under `/api/environments/{project_id}` too, and the other way round.',
  license: { name: packageJson.license, identifier: packageJson.license },
}

/** The groups of operations, which are also pages of the documentation and classes or files of generated clients. */
export const API_TAGS: Readonly<Record<string, string>> = {
  Account: 'Signing in and out, sessions, passwords and your own profile.',
  'API keys': 'Personal API keys with their scopes, projects and expiry.',
  Members: 'The organization, its members and invites, and the members of a project.',
  SCIM: 'Users and groups of an identity provider, as RFC 7643 and 7644 describe them.',
  Projects: 'Projects with their tokens and settings.',
  Activity: 'The log of who changed what in a project.',
  Events: 'Sending events, and the events, names and properties that a project has received.',
  Persons: 'The people behind events, with their properties and distinct IDs.',
  Actions: 'Named sets of rules that events match.',
  Cohorts: 'Sets of persons, by rule or by list.',
  Groups: 'Companies and other groups of persons, by type.',
  Queries: 'Running queries on the events of a project.',
  Dashboards: 'Dashboards and their tiles.',
  Collaborators: 'The people who can view or edit a restricted dashboard.',
  Sharing: 'The public link of a dashboard.',
  Insights: 'Saved queries, shown as tiles of dashboards.',
  'Saved views': 'Filters of the list of events or of a dashboard, under a name.',
  Annotations: 'Notes on points in time, which charts mark.',
  Comments: 'Threads on dashboards and their tiles, and who they mention.',
  'Dashboard templates': 'Built-in templates, and those of a project.',
  Exports: 'Results as CSV and JSON, charts and dashboards as pictures and PDF.',
  Alerts: 'Notifications when a number leaves its bounds.',
  Subscriptions: 'Insights and dashboards, sent on a schedule.',
  Plugins: 'Import apps that are installed in the organization.',
  MCP: 'The API as tools for language models.',
  'Import apps': 'Configs of import apps in a project, with their runs, logs and files.',
}
