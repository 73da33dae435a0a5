import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { useApp } from '../support/app/app.ts'

const DIST = new URL('../../node_modules/posthog-js/dist/', import.meta.url)
const ORIGIN = 'https://shop.example'
const { version } = JSON.parse(readFileSync(new URL('integrity.json', DIST), 'utf8'))

async function load(path: string, headers: Record<string, string> = {}) {
  const { url } = await useApp()
  const response = await fetch(`${url}/static/${path}`, {
    headers: { origin: ORIGIN, ...headers },
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

describe('the scripts of posthog-js', () => {
  it.each(['br', 'gzip', 'identity'])('are served to every origin (%s)', async (encoding) => {
    const { status, headers, text } = await load('array.js', { 'accept-encoding': encoding })

    expect(status).toBe(200)
    expect(text).toBe(readFileSync(new URL('array.js', DIST), 'utf8'))
    expect(headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding)
    expect(headers.get('access-control-allow-origin')).toBe(ORIGIN)
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  })

  it.each([
    ['array.js', 'public, max-age=300'],
    [`array.js?v=${version}`, 'public, max-age=300'],
    ['1.200.0/exception-autocapture.js', 'public, max-age=300'],
    [`${version}/array.js`, 'public, max-age=31536000, immutable'],
    [`${version}/web-vitals.js`, 'public, max-age=31536000, immutable'],
  ])('at %s are cached: %s', async (path, age) => {
    const first = await load(path)
    const again = await load(path, { 'if-none-match': String(first.headers.get('etag')) })

    expect([first.status, first.headers.get('cache-control')]).toEqual([200, age])
    expect([again.status, again.text]).toEqual([304, ''])
  })

  it.each([
    ['a file for bundlers', 'module.js'],
    ['a file without a type', `${version}/LICENSE`],
    ['a compressed file', 'array.js.br'],
    ['a folder above', '..%2f..%2findex.html'],
    ['a folder above, by version', `..%2f..%2f/package.json`],
    ['a folder below', `${version}%2farray.js`],
    ['an unknown file', 'toolbar.js'],
  ])('do not include %s', async (_, path) => {
    const { status, headers } = await load(path)

    expect(status).toBe(404)
    expect(headers.get('access-control-allow-origin')).toBe(ORIGIN)
  })
})
