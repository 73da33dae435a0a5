import { describe, expect, it } from 'vitest'
import { readTracingSettings } from './settings.ts'
import { parseTraceparent } from './traceparent.ts'
import { createTracer } from './tracer.ts'

const URL = 'http://collector:4318'

function read(env: Record<string, string>) {
  const warnings: string[] = []
  const given = { OTEL_EXPORTER_OTLP_ENDPOINT: URL, ...env }
  return { settings: readTracingSettings(given, (text) => warnings.push(text)), warnings }
}

describe('the settings of traces', () => {
  it.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: '' }],
    [{ OTEL_SDK_DISABLED: 'TRUE' }],
    [{ OTEL_TRACES_EXPORTER: 'none' }],
  ])('turn traces off: %j', (env) => {
    expect(read(env)).toEqual({ settings: undefined, warnings: [] })
  })

  it('have the defaults of OpenTelemetry', () => {
    expect(read({})).toEqual({
      settings: {
        url: `${URL}/v1/traces`,
        headers: {},
        timeoutMs: 10_000,
        delayMs: 5000,
        maxQueue: 2048,
        maxBatch: 512,
        resource: { 'service.name': 'hedgerow' },
        sampler: { isParentBased: true, ratio: 1 },
        acceptsParents: true,
      },
      warnings: [],
    })
  })

  it.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: `${URL}/otlp/` }, { url: `${URL}/otlp/v1/traces` }],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${URL}/x` }, { url: `${URL}/x` }],
    [{ OTEL_EXPORTER_OTLP_TIMEOUT: '500' }, { timeoutMs: 500 }],
    [
      { OTEL_RESOURCE_ATTRIBUTES: 'service.name=a,team=b%2Cc', OTEL_SERVICE_NAME: 'd' },
      { resource: { 'service.name': 'd', team: 'b,c' } },
    ],
    [{ OTEL_TRACES_SAMPLER: 'always_off' }, { sampler: { isParentBased: false, ratio: 0 } }],
    [
      { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' },
      { sampler: { isParentBased: true, ratio: 0.25 } },
    ],
    [{ OTEL_PROPAGATORS: 'none' }, { acceptsParents: false }],
  ])('read %j', (env, expected) => {
    const { settings, warnings } = read(env)

    expect(settings).toMatchObject(expected)
    expect(warnings).toEqual([])
  })

  it.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, /must start with http/],
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, /grpc is not supported/],
    [{ OTEL_EXPORTER_OTLP_TIMEOUT: 'soon' }, /must be a positive number, not "soon"/],
    [{ OTEL_TRACES_SAMPLER: 'some' }, /OTEL_TRACES_SAMPLER=some is not known/],
    [
      { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '2' },
      /OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1/,
    ],
    [{ OTEL_TRACES_EXPORTER: 'zipkin' }, /must be otlp or none/],
  ])('warn of %j', (env, message) => {
    expect(read(env).warnings).toEqual([expect.stringMatching(message)])
  })
})

const ID = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'

describe('traceparent', () => {
  it.each([
    [`00-${ID}-${SPAN}-01`, true],
    [`00-${ID}-${SPAN}-00`, false],
    [`cc-${ID}-${SPAN}-03-more`, true],
  ])('parses %s', (header, isSampled) => {
    expect(parseTraceparent(header)).toEqual({ traceId: ID, spanId: SPAN, isSampled })
  })

  it.each([
    [undefined],
    [''],
    [`ff-${ID}-${SPAN}-01`],
    [`00-${ID}-${SPAN}-01-more`],
    [`00-${'0'.repeat(32)}-${SPAN}-01`],
    [`00-${ID}-${'0'.repeat(16)}-01`],
    [`00-${ID.toUpperCase()}-${SPAN}-01`],
  ])('ignores %s', (header) => {
    expect(parseTraceparent(header)).toBeUndefined()
  })
})

describe('a sampler', () => {
  const sample = (ratio: number) => {
    let count = 0
    const tracer = createTracer({
      sampler: { isParentBased: true, ratio },
      acceptsParents: true,
      export: () => void count++,
      close: async () => {},
    })
    for (let each = 0; each < 1000; each++) tracer.start('x')?.end()
    return count
  }

  it('chooses about the given share of traces', () => {
    expect(sample(1)).toBe(1000)
    expect(sample(0)).toBe(0)
    expect(sample(0.5)).toBeGreaterThan(350)
    expect(sample(0.5)).toBeLessThan(650)
  })

  it('keeps what is below a span that was not chosen out of traces', async () => {
    const names: string[] = []
    const tracer = createTracer({
      sampler: { isParentBased: true, ratio: 1 },
      acceptsParents: true,
      export: ({ name }) => names.push(name),
      close: async () => {},
    })
    const parent = { traceId: ID, spanId: SPAN, isSampled: false }

    await tracer.run('above', { parent }, () => tracer.run('below', {}, async () => {}))
    await tracer.run('other', {}, async () => {})

    expect(names).toEqual(['other'])
  })
})
