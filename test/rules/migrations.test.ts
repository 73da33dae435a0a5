import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { POSTGRES_TYPES, SQLITE_TYPES } from '#server/db/dialect.ts'
import { MIGRATIONS, type Migration } from '#server/db/migrate.ts'

/** Add a line for a new migration; never change one, because existing databases have run it. */
const SHIPPED: Readonly<Record<string, string>> = {
  '0001-initial': '43b6196f3e424408',
  '0002-import-apps': '56aac126f9aff6d6',
  '0003-insights-and-templates': '51a18c2e889a7a06',
  '0004-results': 'ed062f1b551a8a80',
  '0005-alerts': '02e75c2f5d33b2c1',
  '0006-sessions': '7595c1d9b6b87751',
  '0007-invites': 'b4ebc05ac12b71b4',
  '0008-activity-log': 'ef1da2098efa6e73',
  '0009-dashboard-lists': '9487712a3f870297',
  '0010-removed-projects': 'f6e39f4f7b1ac296',
  '0011-fair-runs': '2b81bfdcb31cf1f2',
  '0012-schedule-ticks': '45e63d6396333bac',
  '0013-app-state-sizes': '32ac036c63fc42cb',
  '0014-apps-of-runs': 'ae890a578e8bbaf2',
  '0015-installation': '49def3c0a8d4169f',
  '0016-cohorts': '726c6d3afb126cbb',
  '0017-group-type-names': '203e05f7ee3ca02f',
  '0018-run-counts': '6d06d934efb02832',
  '0019-demo-data': '3cf8b7f2a57e2ade',
  '0020-annotations': '90fb24542be505eb',
  '0021-anonymize-ips': '7168a3a36431d034',
  '0022-terraform': 'c72690421249635b',
  '0023-scheduled-backups': '518983ea8d94b6b1',
  '0024-demo-items': 'f2d9dc500153d2a4',
  '0025-definition-details': 'acb7badbf06c0e13',
  '0028-webhook-formats': 'a57e79d74bc73cde',
  '0029-import-schedules': 'c5c03ac8a66fb3b4',
  '0030-webhooks': 'a3ec17c4b4e1c220',
  '0040-import-retries': 'ebaaa48b6051aca5',
  '0041-import-alerts': '16ff4a57482072af',
  '0042-import-state': '24ddf51e0f9ead2f',
  '0043-backfills': '1ef389b1f614d25d',
  '0050-actions': 'a5ab1713b583377c',
  '0051-saved-views': '51314c419e3d816e',
  '0075-usual-ranges': '54625eb0ceff7d70',
  '0090-sections': 'd7a212902ef28a39',
  '0105-webhook-states': '4fe296c2ab9df296',
  '0110-public-links': '3e06fe846ded0e64',
  '0111-request-states': 'e1b124eb199c226e',
  '0120-link-policy': '3c05b45f2873e0f7',
  '0125-viewer-filters': '47ac95daa5b86967',
  '0126-insight-links': '835da60be602eab5',
  '0130-second-factors': '93378fc590fa72bf',
  '0131-second-factor-rule': 'cc64a06d0b1f4627',
  '0135-comments': '7b6c139b14fabcfe',
  '0140-link-guests': 'af6ff3e191e589c5',
  '0141-guest-views': '8e262c73af90fd30',
  '0142-link-snapshots': 'e8f0ddc819babbee',
  '0145-embeds': '4d694ba87e642ea7',
  '0150-scim': '792a517c3c133106',
  '0151-passkeys': '4f16097ad747a820',
  '0155-project-levels': '3d4c3151e59bd073',
}

/** Hashes the statements for both databases, ignoring indentation. */
function fingerprint({ up }: Migration): string {
  const statements = [SQLITE_TYPES, POSTGRES_TYPES].flatMap(up)
  const text = statements.join(';').replaceAll(/\s+/g, ' ')
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

describe('migrations', () => {
  it('never change after release', () => {
    const now = Object.fromEntries(MIGRATIONS.map((each) => [each.name, fingerprint(each)]))

    expect(now).toEqual(SHIPPED)
  })
})
