/** The part of an app that tells what it can do. */
export interface AppAbilities {
  readonly capabilities: {
    readonly scheduled_tasks?: readonly string[]
    readonly jobs?: readonly string[]
    readonly methods?: readonly string[]
  }
  readonly public_jobs: Readonly<Record<string, unknown>>
}

/** The methods of PostHog's apps that this server never calls, with their purpose. */
export const UNCALLED_METHODS: Readonly<Record<string, string>> = {
  processEvent: 'transforms',
  processEventBatch: 'transforms',
  onEvent: 'exports',
  exportEvents: 'exports',
  composeWebhook: 'exports',
}

/** Tells whether the app does nothing on this server, which runs apps that import. */
export const neverRuns = (app: AppAbilities): boolean =>
  listUncalled(app).length > 0 && !canRun(app)

/** Returns what the app cannot do here, or an empty string. `missingJobs` are public jobs that the code lacks. */
export const describeLimitation = (
  app: AppAbilities,
  missingJobs: readonly string[] = [],
): string => [describeUncalled(app), describeMissing(missingJobs)].filter(Boolean).join(' ')

const describeMissing = (jobs: readonly string[]): string =>
  jobs.length === 0
    ? ''
    : `plugin.json names public jobs that the code does not export (${jobs.join(', ')}). They are left out.`

function describeUncalled(app: AppAbilities): string {
  const uncalled = listUncalled(app)
  if (uncalled.length === 0) return ''
  const purposes = [...new Set(uncalled.map((name) => UNCALLED_METHODS[name]))].join(' and ')
  const names = uncalled.join(', ')
  return canRun(app)
    ? `This app also ${purposes} events (${names}), which Hedgerow does not do. It only imports here.`
    : `This app only ${purposes} events (${names}). Hedgerow runs apps that import events, so this app never runs.`
}

const listUncalled = ({ capabilities: { methods = [] } }: AppAbilities): string[] =>
  methods.filter((name) => Object.hasOwn(UNCALLED_METHODS, name))

/** An app runs on a schedule, by a job of a user or of its set-up, when a request arrives, or for a backfill. */
const canRun = (app: AppAbilities): boolean =>
  (app.capabilities.scheduled_tasks ?? []).length > 0 ||
  Object.keys(app.public_jobs).length > 0 ||
  setsUpJobs(app) ||
  handlesRequests(app) ||
  runsBackfills(app)

/** The function of an app that prepares its runs. Its own run is listed under this name. */
export const SET_UP = 'setupPlugin'

/** Whether the app can start jobs when it is set up. */
export const setsUpJobs = ({
  capabilities: { jobs = [], methods = [] },
}: Pick<AppAbilities, 'capabilities'>): boolean => jobs.length > 0 && methods.includes(SET_UP)

/** The function of an app that handles the requests of other services. Its runs are listed under this name. */
export const ON_REQUEST = 'onRequest'

export const handlesRequests = ({
  capabilities: { methods = [] },
}: Pick<AppAbilities, 'capabilities'>): boolean => methods.includes(ON_REQUEST)

/** The function of an app that imports a window of the past. Its runs are listed under this name. */
export const RUN_BACKFILL = 'runBackfill'

export const runsBackfills = ({
  capabilities: { methods = [] },
}: Pick<AppAbilities, 'capabilities'>): boolean => methods.includes(RUN_BACKFILL)
