import { describe, expect, it } from 'vitest'
import { AppProblem } from '#server/runtime/contract.ts'
import { parseAppManifest } from './manifest.ts'

const parse = (manifest: object) => parseAppManifest(JSON.stringify({ name: 'App', ...manifest }))

describe('plugin.json', () => {
  it('requires only a name', () => {
    expect(parseAppManifest('{"name": " App "}')).toEqual({
      name: 'App',
      description: '',
      icon: null,
      main: undefined,
      config: [],
      publicJobs: {},
      receives: null,
    })
  })

  it('keeps settings and jobs, and drops unknown keys', () => {
    const field = {
      ...{ key: 'a', name: 'A', type: 'choice', choices: ['x'], default: 'x', hint: 'H' },
      ...{
        order: 1,
        required: true,
        secret: false,
        column: true,
        required_if: [['b', 'y'], ['c']],
      },
    }
    const payload = {
      n: { type: 'number', title: 'N', required: true, default: 1, staff_only: true },
    }

    const { config, publicJobs } = parse({
      config: [{ markdown: '# Hello' }, { ...field, site: true }],
      publicJobs: { 'Clear storage': {}, '[ADVANCED] Restart': { payload, extra: 1 } },
      posthogVersion: '>= 99',
    })

    expect(config).toEqual([{ markdown: '# Hello' }, field])
    expect(publicJobs).toEqual({ 'Clear storage': {}, '[ADVANCED] Restart': { payload } })
  })

  it('accepts settings in the old object form, by their order', () => {
    const { config } = parse({ config: { last: { name: 'L' }, b: { order: 2 }, a: { order: 1 } } })

    expect(config).toEqual([
      { key: 'a', order: 1 },
      { key: 'b', order: 2 },
      { key: 'last', name: 'L' },
    ])
  })

  it('can start with a byte order mark and contain null', () => {
    const text = '\ufeff{"name": "App", "description": null, "config": null, "publicJobs": null}'

    expect(parseAppManifest(text)).toMatchObject({ description: '', config: [], publicJobs: {} })
  })

  const job = (payload: unknown) => ({ publicJobs: { run: { payload } } })

  it.each<[object, string]>([
    [{ name: undefined }, 'name is missing or empty'],
    [{ name: ' ' }, 'name is missing or empty'],
    [{ name: 7 }, 'name must be a string'],
    [{ name: 'x'.repeat(201) }, 'name must have at most 200 characters'],
    [{ description: [] }, 'description must be a string'],
    [{ url: 1 }, 'url must be a string'],
    [{ main: {} }, 'main must be a string'],
    [{ icon: true }, 'icon must be a string'],
    [{ config: 'x' }, 'config must be a list of settings'],
    [{ config: [{ key: 'a' }, 'x'] }, 'config[1] must be an object'],
    [{ config: [{ key: '' }] }, 'config[0].key may not be empty'],
    [{ config: [{ key: 1 }] }, 'config[0].key must be a string'],
    [
      { config: [{}, {}, { key: 'a', type: 'number' }] },
      'config[2].type must be one of string, json, attachment, choice',
    ],
    [
      { config: [{ key: 'a', type: 'choice' }] },
      'config[0].choices must be a list of at least one',
    ],
    [{ config: [{ key: 'a', choices: [1] }] }, 'config[0].choices must be a list of strings'],
    [{ config: [{ key: 'a', required: 'yes' }] }, 'config[0].required must be true or false'],
    [{ config: [{ key: 'a', secret: 1 }] }, 'config[0].secret must be true or false'],
    [{ config: [{ key: 'a', address: 'url' }] }, 'config[0].address must be true or false'],
    [{ config: [{ key: 'a', column: 'x' }] }, 'config[0].column must be true or false'],
    [{ config: [{ address: true }] }, 'config[0].address must belong to a setting with a key'],
    [{ config: [{ key: 'a', order: '1' }] }, 'config[0].order must be a number'],
    [
      { config: [{ key: 'a', required_if: ['b'] }] },
      'config[0].required_if must be a list of [key',
    ],
    [{ config: [{ key: 'a', visible_if: [[1]] }] }, 'config[0].visible_if must be a list of [key'],
    [{ config: [{ key: 'a' }, { key: 'a' }] }, 'config[1].key must differ from config[0].key, "a"'],
    [{ config: { a: 1 } }, 'config.a must be an object'],
    [{ publicJobs: [] }, 'publicJobs must be an object'],
    [{ publicJobs: { run: 1 } }, 'publicJobs["run"] must be an object'],
    [job([]), 'publicJobs["run"].payload must be an object'],
    [job({ n: 1 }), 'publicJobs["run"].payload.n must be an object'],
    [job({ n: {} }), 'publicJobs["run"].payload.n.type must be one of string, boolean, json,'],
    [job({ n: { type: 'int' } }), 'publicJobs["run"].payload.n.type must be one of string, boo'],
    [
      job({ n: { type: 'json', required: 1 } }),
      'publicJobs["run"].payload.n.required must be true',
    ],
    [{ stateless: 'no' }, 'stateless must be true or false'],
    [{ stateless: true, config: [{ key: 'a' }] }, 'config must be empty: stateless apps cannot'],
  ])('names the invalid key in %j', (manifest, message) => {
    const attempt = () => parse(manifest)

    expect(attempt).toThrow(AppProblem)
    expect(attempt).toThrow(`plugin.json: ${message}`)
  })

  it.each([
    ['', 'plugin.json is not JSON: '],
    ['{"name": "App",}', 'plugin.json is not JSON: '],
    ['[]', 'plugin.json must hold a JSON object.'],
    ['null', 'plugin.json must hold a JSON object.'],
    ['{"name": "a\\u0000"}', 'plugin.json cannot be stored: Null characters are not allowed.'],
    [`{"name": "a", "config": ${'['.repeat(99)}${']'.repeat(99)}}`, 'nested deeper than 64 levels'],
  ])('refuses %s', (text, message) => {
    expect(() => parseAppManifest(text)).toThrow(message)
  })

  it('says which requests of other services the app takes', () => {
    const receives = {
      methods: ['POST', 'GET'],
      verify: { kind: { setting: 'how' }, secret: 'key', header: 'x-sig' },
      id_header: 'x-id',
      max_body: 1000,
      respond: { status: 202, body: '' },
    }

    expect(parse({ receives }).receives).toEqual(receives)
    expect(parse({ receives: {} }).receives).toEqual({
      methods: ['POST'],
      verify: { kind: 'none' },
      max_body: 1024 * 1024,
      respond: { status: 200, body: '{"status":"ok"}' },
    })
  })

  it.each([
    [[], 'receives must be an object'],
    [{ methods: ['DELETE'] }, 'receives.methods must be a list of GET, POST, PUT'],
    [{ methods: [] }, 'receives.methods must be a list of GET, POST, PUT'],
    [{ verify: { kind: 'trust' } }, 'receives.verify.kind must be one of stripe'],
    [
      { verify: { kind: 'stripe' } },
      'receives.verify.secret must name the setting that holds the secret',
    ],
    [{ max_body: 0 }, 'receives.max_body must be a number of bytes from 1 to 1048576'],
    [{ respond: { status: 500 } }, 'receives.respond.status must be a status from 200 to 299'],
  ])('refuses receives %j', (receives, problem) => {
    expect(() => parse({ receives })).toThrow(`plugin.json: ${problem}`)
  })
})
