import { describe, expect, it } from 'vitest'
import { GITHUB_URL } from './github.ts'
import { parseNpmSpec } from './npm.ts'
import { parseOriginUrl } from './origin.ts'

describe('the name of an npm package', () => {
  it.each([
    ['heartbeat', 'heartbeat', 'latest'],
    ['@posthog/heartbeat-plugin', '@posthog/heartbeat-plugin', 'latest'],
    ['@posthog/heartbeat-plugin@0.0.7', '@posthog/heartbeat-plugin', '0.0.7'],
    ['a@1.0.0-beta.1+build', 'a', '1.0.0-beta.1+build'],
    ['a@next', 'a', 'next'],
  ])('is accepted as %s', (text, name, version) => {
    expect(parseNpmSpec(text)).toEqual({ name, version })
  })

  it.each([
    ...[
      '',
      ' ',
      '-g',
      '--registry=http://evil',
      '.',
      '..',
      './a',
      '/etc',
      '~/a',
      'a/b',
      '@a',
      '@/a',
    ],
    ...['@a/b/c', 'a@', 'a@^1', 'a@>=1', 'a@1 || 2', 'a@file:.', 'a@npm:b', 'a@-g', 'a b', 'a\nb'],
    ...['git+ssh://x', 'github:a/b', 'http://x/a.tgz', 'a.tgz', 'a.tar.gz', 'a@1.tgz', 'a@../b'],
    ...['%61', 'a;b', '$(a)', 'x'.repeat(215), '@-/a', '_a', '.a'],
  ])('is refused as %j', (text) => {
    expect(parseNpmSpec(text)).toBeUndefined()
  })
})

describe('the URL of an app', () => {
  it.each([
    ['npm:heartbeat', 'heartbeat', 'latest'],
    ['npm:@posthog/a@1.2.3', '@posthog/a', '1.2.3'],
    ['https://www.npmjs.com/package/a', 'a', 'latest'],
    ['https://npmjs.com/package/@posthog/a/', '@posthog/a', 'latest'],
    ['https://www.npmjs.com/package/%40posthog/a?activeTab=readme', '@posthog/a', 'latest'],
    ['https://www.npmjs.com/package/@posthog/a/v/1.2.3', '@posthog/a', '1.2.3'],
  ])('is accepted as %s', (url, name, version) => {
    expect(parseOriginUrl(url, GITHUB_URL)).toEqual({ type: 'npm', spec: { name, version } })
  })

  it.each([
    ...['file:/etc', 'heartbeat', 'npm:', 'npm:../a', 'npm:-g'],
    ...[
      'https://evil.com/package/a',
      'https://www.npmjs.com/package/',
      'inline://a',
      'npm:a@file:b',
    ],
    ...['https://www.npmjs.com.evil.com/package/a', 'https://www.npmjs.com/package/a/v/^1'],
  ])('is refused as %s, with the accepted forms', (url) => {
    expect(() => parseOriginUrl(url, GITHUB_URL)).toThrow(
      /^The URL must be npm:<name>\[@version\], https/,
    )
  })
})
