import type { Meta } from './hedgerow.d.ts'

interface Settings {
  repositories?: string
  token?: string
}

/** Hedgerow calls this at the start of every hour, for each config that is enabled. */
export function runEveryHour(meta: Meta<Settings>): Promise<void> {
  return countStars(meta.config.repositories, meta)
}

/** Started by people. What it takes is described under `publicJobs` in plugin.json. */
export const jobs = {
  'Import now': (payload: Settings, meta: Meta<Settings>): Promise<void> =>
    countStars(payload.repositories ?? meta.config.repositories, meta),
}

async function countStars(repositories: string | undefined, meta: Meta<Settings>): Promise<void> {
  const names = (repositories ?? '').split(',').flatMap((name) => name.trim() || [])
  for (const [done, name] of names.entries()) {
    meta.utils.progress(done, names.length, `Counting ${name}`)
    const stars = await fetchStars(name, meta.config.token)
    const before = await meta.storage.get(`stars of ${name}`, stars)
    posthog.capture('stars counted', {
      distinct_id: name,
      stars,
      gained: stars - Number(before),
    })
    await meta.storage.set(`stars of ${name}`, stars)
  }
  meta.utils.progress(names.length, names.length, 'Done')
}

async function fetchStars(name: string, token: string | undefined): Promise<number> {
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
  const response = await fetch(`https://api.github.com/repos/${name}`, { headers })
  if (!response.ok) throw new Error(`GitHub answered ${response.status} for ${name}.`)
  const { stargazers_count } = (await response.json()) as { stargazers_count: number }
  return stargazers_count
}
