import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { fill } from '../../test/fill.ts'
import { openPage } from '../../test/render.tsx'
import { problem } from '../../test/server.ts'

const SIGN_IN = 'POST /api/sign_in'
const SET_UP = 'POST /api/set_up'
const PASSWORD = 'three green hedges'
const NEW = { 'GET /api/sign_in': { oidc: null, mails_reset_links: false, needs_set_up: true } }

/** Records full page loads instead of performing them. */
function stubNavigation() {
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined)
  onTestFinished(() => assign.mockRestore())
  return assign
}

function setToken(token: string): void {
  location.hash = `#token=${token}`
  onTestFinished(() => {
    location.hash = ''
  })
}

const password = () => screen.getByLabelText<HTMLInputElement>('Password')

describe('set-up page', () => {
  it('shows errors at their field and keeps the input', async () => {
    setToken('abc')
    const detail = 'There is already a user with the e-mail jane@example.com.'
    const { user, server } = await openPage('/set-up', {
      ...NEW,
      [SET_UP]: problem(400, detail, 'email'),
    })
    await fill(user, await screen.findByLabelText('Your name'), 'Jane')
    await fill(user, screen.getByLabelText('E-mail'), 'jane@example.com')
    await fill(user, password(), 'too short')

    await user.click(screen.getByRole('button', { name: 'Create account' }))
    expect(await screen.findByText('Use at least 10 characters.')).toBeTruthy()
    expect(server.bodiesOf(SET_UP)).toEqual([])
    await user.clear(password())
    await fill(user, password(), PASSWORD)
    await user.click(screen.getByRole('button', { name: 'Create account' }))

    expect(await screen.findByText(detail)).toBeTruthy()
    expect(screen.getByLabelText('E-mail').getAttribute('aria-invalid')).toBe('true')
    expect(screen.getByLabelText<HTMLInputElement>('Your name').value).toBe('Jane')
    expect(server.bodiesOf(SET_UP)).toEqual([
      {
        first_name: 'Jane',
        last_name: '',
        email: 'jane@example.com',
        password: PASSWORD,
        token: 'abc',
      },
    ])
  })

  it('explains that the link was already used', async () => {
    setToken('used')
    const { user } = await openPage('/set-up', {
      ...NEW,
      [SET_UP]: problem(400, 'This link was used before.', 'token'),
    })
    await fill(user, await screen.findByLabelText('Your name'), 'Jane')
    await fill(user, screen.getByLabelText('E-mail'), 'jane@example.com')
    await fill(user, password(), PASSWORD)

    await user.click(screen.getByRole('button', { name: 'Create account' }))

    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('This link was used before.')
  })
})

describe('sign-in page', () => {
  it('shows a wrong password, then continues to the requested page', async () => {
    const assign = stubNavigation()
    const { user, server } = await openPage('/sign-in?next=%2Fproject%2F1%2Fevents', {
      'GET /api/sign_in': { oidc: null },
      [SIGN_IN]: problem(400, 'E-mail or password is wrong.'),
    })
    await fill(user, await screen.findByLabelText('E-mail'), 'olive@example.com')
    await fill(user, password(), 'wrong')

    await user.click(screen.getByRole('button', { name: 'Sign in' }))
    const refusal = (await screen.findByRole('alert')).textContent
    expect(refusal).toBe("Can't sign inE-mail or password is wrong.")
    server.reply({ [SIGN_IN]: null })
    await user.click(screen.getByRole('button', { name: 'Sign in' }))

    await waitFor(() => expect(assign).toHaveBeenCalledWith('/project/1/events'))
  })

  it('asks for the code of the second factor, then continues to the requested page', async () => {
    const assign = stubNavigation()
    const { user } = await openPage('/sign-in?next=%2Fproject%2F1%2Fevents', {
      'GET /api/sign_in': { oidc: null },
      [SIGN_IN]: { methods: ['app', 'recovery'] },
    })
    await fill(user, await screen.findByLabelText('E-mail'), 'olive@example.com')
    await fill(user, password(), PASSWORD)

    await user.click(screen.getByRole('button', { name: 'Sign in' }))

    const page = '/sign-in?step=code&next=%2Fproject%2F1%2Fevents'
    await waitFor(() => expect(assign).toHaveBeenCalledWith(page))
  })

  it('shows a wrong code at its field, and takes a recovery code instead', async () => {
    const assign = stubNavigation()
    const SECOND_STEP = 'POST /api/sign_in/second_step'
    const detail = 'The code is wrong.'
    const { user, server } = await openPage('/sign-in?step=code&next=%2Fproject%2F1%2Fevents', {
      'GET /api/sign_in': { oidc: null },
      [SECOND_STEP]: problem(400, detail, 'code'),
    })
    await fill(user, await screen.findByLabelText('Code of your authenticator app'), '123456')
    await user.click(screen.getByRole('button', { name: 'Sign in' }))
    expect(await screen.findByText(detail)).toBeTruthy()
    server.reply({ [SECOND_STEP]: null })

    await user.click(screen.getByRole('button', { name: 'Use a recovery code' }))
    await fill(user, await screen.findByLabelText('Recovery code'), 'abcd-efgh-jkmn-pqrs')
    await user.click(screen.getByRole('button', { name: 'Sign in' }))

    await waitFor(() => expect(assign).toHaveBeenCalledWith('/project/1/events'))
    expect(server.bodiesOf(SECOND_STEP)).toEqual([
      { code: '123456' },
      { code: 'abcd-efgh-jkmn-pqrs' },
    ])
  })

  it('continues to the home page instead of another site', async () => {
    const assign = stubNavigation()
    const { user } = await openPage('/sign-in?next=%2F%2Fevil.example', {
      'GET /api/sign_in': { oidc: null },
      [SIGN_IN]: null,
    })
    await fill(user, await screen.findByLabelText('E-mail'), 'olive@example.com')
    await fill(user, password(), PASSWORD)

    await user.click(screen.getByRole('button', { name: 'Sign in' }))

    await waitFor(() => expect(assign).toHaveBeenCalledWith('/'))
  })

  it('offers the identity provider and explains why it failed', async () => {
    await openPage('/sign-in?problem=unknown_email', {
      'GET /api/sign_in': { oidc: { name: 'Acme' } },
    })

    expect(await screen.findByText('Sign in with Acme')).toBeTruthy()
    expect((await screen.findByRole('alert')).textContent).toContain('Ask an admin to invite you.')
  })
})

describe('sign-in page where the identity provider is the only way in', () => {
  it('hides the password until an owner asks for it', async () => {
    const { user } = await openPage('/sign-in', {
      'GET /api/sign_in': { oidc: { name: 'Acme', is_only: true } },
    })
    expect(await screen.findByText('Sign in with Acme')).toBeTruthy()
    expect(screen.queryByLabelText('E-mail')).toBeNull()

    await user.click(screen.getByRole('button', { name: 'Sign in as owner with password' }))

    expect(screen.getByLabelText('E-mail')).toBeTruthy()
  })
})

describe('page for a user without projects', () => {
  it('explains it and signs out', async () => {
    const assign = stubNavigation()
    const { user, server } = await openPage('/no-project', { 'POST /api/sign_out': null })
    expect(await screen.findByRole('heading', { name: 'No project yet' })).toBeTruthy()

    await user.click(screen.getByRole('button', { name: 'Sign out' }))

    await waitFor(() => expect(assign).toHaveBeenCalledWith('/sign-in'))
    expect(server.bodiesOf('POST /api/sign_out')).toHaveLength(1)
  })
})

describe('reset page', () => {
  it('asks for the code of the second factor after the new password', async () => {
    const assign = stubNavigation()
    setToken('good')
    const { user } = await openPage('/reset-password', {
      'POST /api/reset_password': { methods: ['app'] },
    })
    await fill(user, await screen.findByLabelText('Password'), PASSWORD)

    await user.click(screen.getByRole('button', { name: 'Set password' }))

    await waitFor(() => expect(assign).toHaveBeenCalledWith('/sign-in?step=code&next=%2F'))
  })

  it('explains that the link was already used', async () => {
    setToken('used')
    const detail = 'This link has already been used.'
    const { user } = await openPage('/reset-password', {
      'POST /api/reset_password': problem(400, detail, 'token'),
    })
    await fill(user, await screen.findByLabelText('Password'), PASSWORD)

    await user.click(screen.getByRole('button', { name: 'Set password' }))

    expect((await screen.findByRole('alert')).textContent).toBe(`Can't set password${detail}`)
  })

  it('mails a link, and does not tell whether the account exists', async () => {
    const SEND = 'POST /api/reset_password/mail'
    const { user, server } = await openPage('/reset-password', {
      'GET /api/sign_in': { oidc: null, mails_reset_links: true, needs_set_up: false },
      [SEND]: new Response(null, { status: 204 }),
    })

    await fill(user, await screen.findByLabelText('E-mail'), 'ann@example.com')
    await user.click(screen.getByRole('button', { name: 'Send link' }))

    await screen.findByText(/^If ann@example.com has an account/)
    expect(server.bodiesOf(SEND)).toEqual([{ email: 'ann@example.com' }])
  })

  it('names the command of the admin if the server sends no mail', async () => {
    await openPage('/reset-password', {
      'GET /api/sign_in': { oidc: null, mails_reset_links: false, needs_set_up: false },
    })

    await screen.findByText('hedgerow user reset-link')
    expect(screen.queryByLabelText('E-mail')).toBeNull()
  })
})
