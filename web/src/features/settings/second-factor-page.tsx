import { Button, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useSearch } from '@tanstack/react-router'
import { useMe, useSignOut } from '../../api/session.ts'
import { AccountFrame } from '../account/frame.tsx'
import { SetUpDialog } from './account/second-factor/set-up-dialog.tsx'

/** The only page for members who lack the second factor that their organization requires. */
export function SecondFactorPage() {
  const { next = '/' } = useSearch({ from: '/second-factor' })
  const { is_2fa_enabled, has_password, organization } = useMe()
  const [isOpen, { open, close }] = useDisclosure()
  const signOut = useSignOut()
  const goOn = () => location.assign(next)
  return (
    <AccountFrame title="Second factor">
      <Stack>
        <Text>
          {is_2fa_enabled
            ? 'Your account has a second factor.'
            : `${organization.name} requires a second factor. Set one up to continue: it takes a minute and an authenticator app.`}
        </Text>
        {is_2fa_enabled ? (
          <Button onClick={goOn}>Continue</Button>
        ) : (
          <Button onClick={open}>Set up second factor…</Button>
        )}
        <Button variant="default" onClick={() => signOut.mutate(false)}>
          Sign out
        </Button>
      </Stack>
      {isOpen && (
        <SetUpDialog
          hasPassword={has_password}
          isReplacing={false}
          onClose={is_2fa_enabled ? goOn : close}
        />
      )}
    </AccountFrame>
  )
}
