import type { Caller } from '#server/access/guard.ts'
import { changeProject } from '#server/db/change.ts'
import type { Db } from '#server/db/schema.ts'
import type { Egress } from '#server/egress/egress.ts'
import { EgressError } from '#server/egress/egress-error.ts'
import { invalid } from '#server/errors.ts'
import { changesBetween } from '#server/features/activity/store.ts'
import { requireOrigins } from '../links/origins.ts'
import { logEmbeds } from './activity.ts'
import { settingsResource } from './fields.ts'
import type { EmbedSettings, EmbedSettingsPatch } from './schema.ts'
import { findSettings, saveSettings } from './store.ts'

export const getEmbedSettings = async (db: Db, { projectId }: Caller): Promise<EmbedSettings> =>
  settingsResource.toItem(await findSettings(db, projectId), {})

export function patchEmbedSettings(
  { db, egress }: { readonly db: Db; readonly egress: Egress },
  caller: Caller,
  { jwks_url, embed_origins }: EmbedSettingsPatch,
): Promise<EmbedSettings> {
  if (jwks_url) requireJwksUrl(egress, jwks_url)
  const columns = settingsResource.toColumns({
    jwks_url,
    embed_origins: embed_origins && requireOrigins(embed_origins),
  })
  return changeProject(db, caller.projectId, async (tx) => {
    const before = await findSettings(tx, caller.projectId)
    const after = { ...before, ...columns }
    await saveSettings(tx, after)
    const [from, to] = [settingsResource.toLogged(before), settingsResource.toLogged(after)]
    const changes = changesBetween('Project', from, to)
    if (changes.length > 0) await logEmbeds(tx, caller, 'embed settings changed', changes)
    return settingsResource.toItem(after, {})
  })
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** Requires HTTPS, because an attacker who replaced the keys on their way could sign for every tenant. */
function requireJwksUrl(egress: Egress, text: string): void {
  const url = URL.parse(text)
  const isSafe =
    url &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.includes(url.hostname)))
  if (!isSafe || url.username || url.password) {
    throw invalid('jwks_url', 'Enter a URL that begins with `https://`, without a user name.')
  }
  try {
    egress.requireAllowed(url.hostname)
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    throw invalid('jwks_url', 'This is not a public address. HEDGEROW_APP_HOSTS can allow it.')
  }
}
