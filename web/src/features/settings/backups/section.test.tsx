import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { ScheduledBackups } from '#server/features/backups/schema.ts'
import { ME, NO_BACKUPS } from '../../../test/fixtures.ts'
import { openPage } from '../../../test/render.tsx'
import type { Routes } from '../../../test/server.ts'

const DONE: ScheduledBackups = {
  ...NO_BACKUPS,
  schedule: { folder: '/backups', interval_seconds: 21_600, keep: 7 },
  last_backup: {
    file: 'hedgerow-2026-01-05T10-00-00Z.tar',
    created_at: '2026-01-05T10:00:00.000Z',
    bytes: 12_345_678,
    events: 4200,
    duration_ms: 2300,
  },
}

const openBackups = (state: ScheduledBackups, routes: Routes = {}) =>
  openPage('/project/1/settings/backups', {
    'GET /api/organizations/@current/backups': { ...state },
    ...routes,
  })

describe('backup settings', () => {
  it('say how to schedule backups', async () => {
    await openBackups(NO_BACKUPS)

    expect(await screen.findByText('No backups scheduled')).toBeTruthy()
    expect(screen.getByText('HEDGEROW_BACKUP_FOLDER')).toBeTruthy()
  })

  it('show the last backup and the schedule', async () => {
    await openBackups(DONE)

    const file = await screen.findByText(/hedgerow-2026-01-05T10-00-00Z\.tar/)
    expect(file.textContent).toMatch(/ago · .*tar · 12\.3 MB · 4,200 events · 3 seconds$/)
    expect(screen.getByText('Every 6 hours into /backups, the newest 7 are kept.')).toBeTruthy()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('warn about a last backup that is too old, and show why', async () => {
    const last_failure = { failed_at: '2026-01-06T10:00:00.000Z', problem: 'The disk is full.' }
    await openBackups({ ...DONE, last_failure, is_late: true })

    expect((await screen.findByRole('alert')).textContent).toContain('The last backup is too old')
    expect(screen.getByText('The last attempt failed')).toBeTruthy()
    expect(screen.getByText(/The disk is full\./)).toBeTruthy()
  })

  it('show an earlier failure as past', async () => {
    const last_failure = { failed_at: '2026-01-04T10:00:00.000Z', problem: 'The disk is full.' }
    await openBackups({ ...DONE, last_failure })

    expect(await screen.findByText('Last failure')).toBeTruthy()
  })

  it('are for admins only', async () => {
    const organization = { ...ME.organization, membership_level: 1 }
    await openBackups(DONE, { 'GET /api/users/@me': { ...ME, organization } })

    expect(await screen.findByRole('heading', { name: 'Settings' })).toBeTruthy()
    expect(screen.queryByRole('link', { name: 'Backups' })).toBeNull()
    expect(screen.queryByText(/hedgerow-2026/)).toBeNull()
  })
})
