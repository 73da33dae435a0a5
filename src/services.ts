import packageJson from '../package.json' with { type: 'json' }
import { type AppendCounts, withAppendCounts } from './analytics/append-counts.ts'
import type { EventStore, OnProgress } from './analytics/event-store.ts'
import { openEventStore } from './analytics/open.ts'
import { createRunaways, type Runaways } from './analytics/runaways.ts'
import { createPace } from './concurrency.ts'
import type { Config } from './config.ts'
import { openStorage, type Storage } from './db/open.ts'
import type { Db } from './db/schema.ts'
import { createEgress, type Egress } from './egress/egress.ts'
import { type Converter, createConverter } from './features/events/capture/converter.ts'
import { type AlertChecker, createAlertChecker } from './features/notifications/alerts/checker.ts'
import {
  createNotificationSender,
  type NotificationSender,
} from './features/notifications/deliveries/sender.ts'
import { createQuerySlots, type QuerySlots } from './features/results/compute/query-slots.ts'
import { createResults, type Results } from './features/results/results.ts'
import { createPlaces, type Places } from './geoip/places.ts'
import { createMailer, type Mailer } from './mail/mailer.ts'
import type { Pictures } from './pictures/contract.ts'
import { createPictures } from './pictures/pictures.ts'
import type { Runtime } from './runtime/contract.ts'
import { createRuntime } from './runtime/runtime.ts'
import { openSecrets } from './secrets/open.ts'
import type { Secrets } from './secrets/secrets.ts'
import { openTracer } from './telemetry/open.ts'
import type { Tracer } from './telemetry/tracer.ts'
import { createLocalWakeUps, type WakeUps } from './wake/wake-ups.ts'

/** The services that a server and a worker share. */
export interface Services {
  readonly storage: Storage
  readonly secrets: Secrets
  readonly events: EventStore
  readonly runtime: Runtime
  readonly wakeUps: WakeUps
  readonly querySlots: QuerySlots
  readonly tracer: Tracer
  /** Statements of the event store that did not end when they were stopped. */
  readonly runaways: Runaways
  /** Counts the events that this process has stored since its start. */
  readonly appends: AppendCounts
  readonly results: Results
  readonly alerts: AlertChecker
  /** Guards the requests of webhooks and OIDC; import apps have a guard of their own. */
  readonly egress: Egress
  readonly mailer: Mailer
  readonly notificationSender: NotificationSender
  readonly pictures: Pictures
  /** Converts large bodies and batches of events in another thread. */
  readonly converter: Converter
  readonly places: Places
  close(): Promise<void>
}

export type ServicesConfig = Pick<
  Config,
  | 'dataFolder'
  | 'databaseUrl'
  | 'clickHouse'
  | 'secretKey'
  | 'appHosts'
  | 'mail'
  | 'requireSandbox'
  | 'appUsers'
  | 'otel'
  | 'geoipFile'
>

/** Enough for some 10 million events; `hedgerow doctor` reads all. */
const MAX_CHECK_MS = 5000

/** Opens the services. They close in reverse order, also if a later one cannot be opened. */
export async function openServices(
  config: ServicesConfig,
  warn: (message: string) => void,
  check = false,
): Promise<Services> {
  await using opened = new AsyncDisposableStack()
  const open = <T extends { close(): unknown }>(service: T): T =>
    opened.adopt(service, async () => void (await service.close()))

  const tracer = open(openTracer(config.otel, packageJson.version, warn))
  const storage = open(await openStorage({ ...config, check }))
  const { db } = storage
  const appends: AppendCounts = { events: 0, failures: 0 }
  const runaways = createRunaways({ warn })
  const store = openEventStore({ ...config, db, onProgress: logProgress(warn), runaways, warn })
  const events = open(withAppendCounts(store, appends))
  if (check) await events.requireIntact(MAX_CHECK_MS)
  const secrets = await openSecrets({ ...config, db })
  const wakeUps = open(await createWakeUps(config.databaseUrl, db))
  const egress = open(createEgress({ allowedHosts: config.appHosts }))
  const mailer = open(createMailer(config.mail))
  const notificationSender = createNotificationSender({ egress, mailer })
  const pictures = open(createPictures({ warn }))
  const converter = open(createConverter(config.geoipFile))
  const querySlots = createQuerySlots(tracer)
  const results = createResults({ db, events, querySlots })
  const alerts = createAlertChecker({ db, results, wakeUps, warn, clock: Temporal.Now.instant })
  opened.defer(async () => {
    await results.close() // before the alerts, so that the last results are still checked
    await alerts.close()
  })
  const runtime = open(
    createRuntime({
      allowedHosts: config.appHosts,
      requireSandbox: config.requireSandbox,
      appUsers: config.appUsers,
      warn,
    }),
  )
  const closing = opened.move()
  return {
    storage,
    secrets,
    events,
    runtime,
    wakeUps,
    querySlots,
    tracer,
    runaways,
    appends,
    results,
    alerts,
    egress,
    mailer,
    notificationSender,
    pictures,
    converter,
    places: createPlaces(config.geoipFile),
    close: () => closing.disposeAsync(),
  }
}

async function createWakeUps(databaseUrl: string | undefined, db: Db): Promise<WakeUps> {
  if (!databaseUrl) return createLocalWakeUps()
  return (await import('./wake/postgres-wake-ups.ts')).createPostgresWakeUps(databaseUrl, db)
}

const PROGRESS_INTERVAL_MS = 10_000

/** Logs at intervals how far the persons of stored events have been derived. */
function logProgress(log: (message: string) => void): OnProgress {
  const isDue = createPace(PROGRESS_INTERVAL_MS, performance.now())
  return (done, total) => {
    if (isDue()) log(`Deriving the persons of stored events: ${done} of ${total}.`)
  }
}
