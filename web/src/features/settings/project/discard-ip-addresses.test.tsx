import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { ME, PROJECT, pageOf } from '../../../test/fixtures.ts'
import { openPage } from '../../../test/render.tsx'
import type { Routes } from '../../../test/server.ts'

const PATCH = 'PATCH /api/projects/1'
const LABEL = /^Discard IP addresses/

const openSettings = (isOn: boolean, routes: Routes = {}) =>
  openPage('/project/1/settings/project', {
    'GET /api/projects': pageOf({ ...PROJECT, anonymize_ips: isOn }),
    ...routes,
  })

it.each([
  ['turns on', true],
  ['turns off', false],
])('%s the discarding of IP addresses', async (_, isOn) => {
  const { user, server } = await openSettings(!isOn, {
    [PATCH]: { ...PROJECT, anonymize_ips: isOn },
  })
  const toggle = await screen.findByLabelText<HTMLInputElement>(LABEL)
  expect(toggle.checked).toBe(!isOn)

  await user.click(toggle)
  server.reply({ 'GET /api/projects': pageOf({ ...PROJECT, anonymize_ips: isOn }) })
  await user.click(screen.getByRole('button', { name: 'Save project' }))

  await waitFor(() => expect(server.bodiesOf(PATCH)).toMatchObject([{ anonymize_ips: isOn }]))
  expect(toggle.checked).toBe(isOn)
})

it('shows members whether IP addresses are discarded', async () => {
  const member = { ...ME, organization: { ...ME.organization, membership_level: 1 } }
  await openSettings(true, { 'GET /api/users/@me': member })

  const toggle = await screen.findByLabelText<HTMLInputElement>(LABEL)

  expect([toggle.checked, toggle.disabled]).toEqual([true, true])
})
