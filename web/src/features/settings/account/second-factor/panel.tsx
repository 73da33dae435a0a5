import { Badge, Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { pluralize } from '#model/pluralize.ts'
import type { SecondFactor } from '#server/features/accounts/account/second-factor-schema.ts'
import { lazyComponent } from '../../../../ui/page/lazy-component.tsx'
import { Panel } from '../../../../ui/page/panel.tsx'
import { Loading, QueryContent } from '../../../../ui/page/states.tsx'
import { TimeAgo } from '../../../../ui/page/time-ago.tsx'
import { useSecondFactor } from './api.ts'

const SetUpDialog = lazyComponent(async () => (await import('./set-up-dialog.tsx')).SetUpDialog)
const NewCodesDialog = lazyComponent(
  async () => (await import('./proof-dialogs.tsx')).NewCodesDialog,
)
const RemoveDialog = lazyComponent(async () => (await import('./proof-dialogs.tsx')).RemoveDialog)

type Dialog = 'set-up' | 'codes' | 'remove'

export function SecondFactorPanel({ hasPassword }: { readonly hasPassword: boolean }) {
  const factor = useSecondFactor()
  const [dialog, setDialog] = useState<Dialog>()
  const user = { hasPassword, onClose: () => setDialog(undefined) }
  return (
    <Panel
      title="Second factor"
      about="A code from an authenticator app, asked for after your password. API keys don't need it."
    >
      <QueryContent query={factor} loading={<Loading lines={2} />}>
        {(state) => (
          <>
            {state.is_enabled ? (
              <Enabled state={state} onOpen={setDialog} />
            ) : (
              <Button variant="default" onClick={() => setDialog('set-up')}>
                Set up second factor…
              </Button>
            )}
            {dialog === 'set-up' && <SetUpDialog {...user} isReplacing={state.is_enabled} />}
            {dialog === 'codes' && <NewCodesDialog {...user} />}
            {dialog === 'remove' && <RemoveDialog {...user} />}
          </>
        )}
      </QueryContent>
    </Panel>
  )
}

interface EnabledProps {
  readonly state: SecondFactor
  readonly onOpen: (dialog: Dialog) => void
}

function Enabled({ state, onOpen }: EnabledProps) {
  const left = state.recovery_codes_left
  return (
    <>
      <Text size="sm" component="div" mb="md">
        <Badge mr={8}>on</Badge>
        {state.confirmed_at && (
          <>
            Set up <TimeAgo time={state.confirmed_at} />.{' '}
          </>
        )}
        {left === 0 ? 'No recovery codes left.' : `${pluralize(left, 'recovery code')} left.`}
      </Text>
      <Group gap="xs">
        <Button variant="default" onClick={() => onOpen('codes')}>
          New recovery codes…
        </Button>
        <Button variant="default" onClick={() => onOpen('set-up')}>
          Change authenticator app…
        </Button>
        <Button variant="subtle" color="red" onClick={() => onOpen('remove')}>
          Remove…
        </Button>
      </Group>
    </>
  )
}
