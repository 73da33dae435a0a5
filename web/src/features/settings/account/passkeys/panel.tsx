import { Button, Text } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useState } from 'react'
import type { Passkey } from '#server/features/accounts/passkeys/schema.ts'
import { knowsPasskeys } from '../../../../api/passkey.ts'
import { Panel, PanelRow, PanelRows } from '../../../../ui/page/panel.tsx'
import { Loading, QueryContent } from '../../../../ui/page/states.tsx'
import { TimeAgo } from '../../../../ui/page/time-ago.tsx'
import { useSecondFactor } from '../second-factor/api.ts'
import { usePasskeys } from './api.ts'
import { CreatePasskeyDialog, RemovePasskeyDialog } from './dialogs.tsx'

export function PasskeyPanel({ hasPassword }: { readonly hasPassword: boolean }) {
  const passkeys = usePasskeys()
  const hasApp = useSecondFactor().data?.is_enabled ?? false
  const [dialog, setDialog] = useState<'create' | Passkey>()
  const user = { hasPassword, hasApp, onClose: () => setDialog(undefined) }
  const isAvailable = passkeys.data?.is_available === true && knowsPasskeys()
  return (
    <Panel
      title="Passkeys"
      about="Sign in with your fingerprint, face or PIN instead of the password."
      isFlush
      actions={
        isAvailable && (
          <Button variant="default" onClick={() => setDialog('create')}>
            Create passkey…
          </Button>
        )
      }
    >
      <QueryContent query={passkeys} loading={<Loading lines={2} p="md" />}>
        {({ results, is_available }) => (
          <>
            {results.length === 0 ? (
              <Text p="md" size="sm" c="dimmed">
                {is_available
                  ? 'No passkeys.'
                  : 'Passkeys need HTTPS and a host name. Ask your admin to set HEDGEROW_URL.'}
              </Text>
            ) : (
              <PanelRows>
                {results.map((passkey) => (
                  <PanelRow
                    key={passkey.id}
                    icon={<IconFingerprint size={22} stroke={1.4} aria-hidden />}
                    title={passkey.name}
                    about={<LastUse passkey={passkey} />}
                  >
                    <Button
                      size="xs"
                      variant="default"
                      aria-label={`Delete ${passkey.name}`}
                      onClick={() => setDialog(passkey)}
                    >
                      Delete…
                    </Button>
                  </PanelRow>
                ))}
              </PanelRows>
            )}
            {dialog === 'create' && <CreatePasskeyDialog {...user} />}
            {typeof dialog === 'object' && <RemovePasskeyDialog {...user} passkey={dialog} />}
          </>
        )}
      </QueryContent>
    </Panel>
  )
}

const LastUse = ({ passkey: { created_at, last_used_at } }: { readonly passkey: Passkey }) => (
  <>
    created <TimeAgo time={created_at} /> ·{' '}
    {last_used_at === null ? (
      'never used'
    ) : (
      <>
        last used <TimeAgo time={last_used_at} />
      </>
    )}
  </>
)
