import { isObject, type JsonObject } from '#model/json.ts'

/** The usual properties and their places in Segment's context. */
const PATHS: Readonly<Record<string, string>> = {
  $ip: 'ip',
  $locale: 'locale',
  $timezone: 'timezone',
  $raw_user_agent: 'userAgent',
  $lib: 'library.name',
  $lib_version: 'library.version',
  $os: 'os.name',
  $os_version: 'os.version',
  $device_id: 'device.id',
  $device_manufacturer: 'device.manufacturer',
  $device_model: 'device.model',
  $device_name: 'device.name',
  $device_type: 'device.type',
  $app_name: 'app.name',
  $app_version: 'app.version',
  $app_build: 'app.build',
  $app_namespace: 'app.namespace',
  $screen_width: 'screen.width',
  $screen_height: 'screen.height',
  $network_carrier: 'network.carrier',
  $network_wifi: 'network.wifi',
  $network_cellular: 'network.cellular',
  utm_source: 'campaign.source',
  utm_medium: 'campaign.medium',
  utm_campaign: 'campaign.name',
  utm_term: 'campaign.term',
  utm_content: 'campaign.content',
}
const PROPERTIES = Object.entries(PATHS).map(([name, path]) => [name, path.split('.')] as const)

/** Converts the context of a message to event properties. Leaves out what the context does not have. */
export function toContextProperties(context: JsonObject): JsonObject {
  const values = PROPERTIES.map(([name, path]) => [
    name,
    path.reduce(readField, context as unknown),
  ])
  return {
    ...toScalars(Object.fromEntries(values)),
    ...toPageProperties(isObject(context.page) ? context.page : {}),
  }
}

/** Converts the fields of a page, which are in the context and in the properties of a page call. */
export function toPageProperties({ url, path, referrer, title }: JsonObject): JsonObject {
  return toScalars({
    $current_url: url,
    $host: toHost(url),
    $pathname: path,
    $referrer: referrer,
    $referring_domain: toHost(referrer),
    title,
  })
}

const readField = (value: unknown, key: string): unknown =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined

/** Leaves out empty values, lists and objects. */
export const toScalars = (fields: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) => value !== undefined && value !== '' && typeof value !== 'object',
    ),
  )

const toHost = (url: unknown): string | undefined =>
  (typeof url === 'string' && URL.parse(url)?.host) || undefined
