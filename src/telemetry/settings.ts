type Environment = Readonly<Record<string, string | undefined>>

/** The standard variables of OpenTelemetry that traces obey. */
export interface TracingSettings {
  /** The URL that spans are sent to. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly delayMs: number
  readonly maxQueue: number
  readonly maxBatch: number
  readonly resource: Readonly<Record<string, string>>
  readonly sampler: Sampler
  /** Whether requests may continue the trace of their client. */
  readonly acceptsParents: boolean
}

export interface Sampler {
  /** Whether to follow the decision of the client, if there is one. */
  readonly isParentBased: boolean
  /** The share of traces that are sampled, from 0 to 1. */
  readonly ratio: number
}

/**
 * Reads the settings, or undefined if traces are off: without an endpoint, nothing is sent. As OpenTelemetry demands, an
 * invalid value is reported and replaced with its default.
 */
export function readTracingSettings(
  env: Environment,
  warn: (message: string) => void,
): TracingSettings | undefined {
  const url = toUrl(env, warn)
  if (!url || env.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return undefined
  if ((env.OTEL_TRACES_EXPORTER ?? 'otlp') !== 'otlp') {
    if (env.OTEL_TRACES_EXPORTER !== 'none') warn('OTEL_TRACES_EXPORTER must be otlp or none.')
    return undefined
  }
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? env.OTEL_EXPORTER_OTLP_PROTOCOL
  if (protocol && protocol !== 'http/json') {
    warn(`Traces are sent as http/json: OTEL_EXPORTER_OTLP_PROTOCOL=${protocol} is not supported.`)
  }
  const toNumber = (name: string, otherwise: number) => readNumber(env, name, otherwise, warn)
  const timeoutMs = toNumber('OTEL_EXPORTER_OTLP_TIMEOUT', 10_000)
  return {
    url,
    headers: {
      ...toPairs(env.OTEL_EXPORTER_OTLP_HEADERS),
      ...toPairs(env.OTEL_EXPORTER_OTLP_TRACES_HEADERS),
    },
    timeoutMs: toNumber('OTEL_EXPORTER_OTLP_TRACES_TIMEOUT', timeoutMs),
    delayMs: toNumber('OTEL_BSP_SCHEDULE_DELAY', 5000),
    maxQueue: toNumber('OTEL_BSP_MAX_QUEUE_SIZE', 2048),
    maxBatch: toNumber('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512),
    resource: toResource(env),
    sampler: toSampler(env, warn),
    acceptsParents: (env.OTEL_PROPAGATORS ?? 'tracecontext').split(',').includes('tracecontext'),
  }
}

function toUrl(env: Environment, warn: (message: string) => void): string | undefined {
  const base = env.OTEL_EXPORTER_OTLP_ENDPOINT
  const url =
    env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || (base && `${base.replace(/\/+$/, '')}/v1/traces`)
  if (!url || /^https?:$/.test(URL.parse(url)?.protocol ?? '')) return url || undefined
  warn('OTEL_EXPORTER_OTLP_ENDPOINT must start with http:// or https://. Traces are off.')
  return undefined
}

function readNumber(
  env: Environment,
  name: string,
  otherwise: number,
  warn: (message: string) => void,
): number {
  const text = env[name]
  if (!text) return otherwise
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  warn(`${name} must be a positive number, not "${text}". ${otherwise} is used.`)
  return otherwise
}

/** Attributes in `OTEL_SERVICE_NAME` win over those in `OTEL_RESOURCE_ATTRIBUTES`. */
const toResource = (env: Environment): Record<string, string> => ({
  'service.name': 'hedgerow',
  ...toPairs(env.OTEL_RESOURCE_ATTRIBUTES),
  ...(env.OTEL_SERVICE_NAME && { 'service.name': env.OTEL_SERVICE_NAME }),
})

/** Parses `key=value,key=value`, with percent-encoded values. */
const toPairs = (text = ''): Record<string, string> =>
  Object.fromEntries(
    text.split(',').flatMap((pair) => {
      const [, key = '', value = ''] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? []
      return key ? [[key, decode(value)]] : []
    }),
  )

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const SAMPLERS: Readonly<Record<string, number | undefined>> = {
  always_on: 1,
  always_off: 0,
  traceidratio: undefined,
}
const PARENT_BASED = 'parentbased_'

function toSampler(env: Environment, warn: (message: string) => void): Sampler {
  const name = env.OTEL_TRACES_SAMPLER || 'parentbased_always_on'
  const isParentBased = name.startsWith(PARENT_BASED)
  const root = isParentBased ? name.slice(PARENT_BASED.length) : name
  if (!(root in SAMPLERS)) {
    warn(`OTEL_TRACES_SAMPLER=${name} is not known. parentbased_always_on is used.`)
    return { isParentBased: true, ratio: 1 }
  }
  return { isParentBased, ratio: SAMPLERS[root] ?? toRatio(env, warn) }
}

function toRatio(env: Environment, warn: (message: string) => void): number {
  const text = env.OTEL_TRACES_SAMPLER_ARG || '1'
  const ratio = Number(text)
  if (ratio >= 0 && ratio <= 1) return ratio
  warn(`OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not "${text}". 1 is used.`)
  return 1
}
