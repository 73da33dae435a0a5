import { describe, expect, it } from 'vitest'
import { GITHUB_URL, parseGitHubUrl } from './github.ts'

const SHA = 'a'.repeat(40)
const spec = (ref: string, folder = '') => ({ owner: 'PostHog', repository: 'app', ref, folder })

describe('the address of a repository', () => {
  it.each([
    ['https://github.com/PostHog/app', spec('HEAD')],
    ['https://github.com/PostHog/app/', spec('HEAD')],
    ['https://github.com/PostHog/app.git', spec('HEAD')],
    ['https://www.github.com/PostHog/app?tab=readme#top', spec('HEAD')],
    ['https://github.com/PostHog/app/tree/main', spec('main')],
    ['https://github.com/PostHog/app/tree/main/apps/one', spec('main', 'apps/one')],
    [`https://github.com/PostHog/app/commit/${SHA}`, spec(SHA)],
    ['https://github.com/PostHog/app/releases/tag/v1.0', spec('v1.0')],
    ['https://github.com/PostHog/app/archive/v1.0.zip', spec('v1.0')],
    ['https://github.com/PostHog/app/archive/refs/tags/v1.0.tar.gz', spec('v1.0')],
    ['https://github.com/PostHog/app/archive/refs/heads/a/b.zip', spec('a/b')],
  ])('is accepted as %s', (url, expected) => {
    expect(parseGitHubUrl(url, GITHUB_URL)).toEqual(expected)
  })

  it.each([
    'https://github.com/PostHog',
    'https://github.com.evil.example/PostHog/app',
    'https://evil.example/PostHog/app',
    'http://github.com/PostHog/app',
    'https://github.com/PostHog/..',
    'https://github.com/PostHog/%2e%2e%2fapp',
    'https://github.com/PostHog/app/tree/..%2f..%2fother',
    'https://github.com/PostHog/app/tree/-x',
    'https://github.com/PostHog/app/tree/a%0ab',
    'https://github.com/PostHog/app/tree/%zz',
    'https://github.com/PostHog/app/blob/main/index.js',
    'git@github.com:PostHog/app.git',
    'npm:PostHog/app',
    'github.com/PostHog/app',
  ])('is refused as %s', (url) => {
    expect(parseGitHubUrl(url, GITHUB_URL)).toBeUndefined()
  })
})
