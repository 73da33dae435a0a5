import { Button, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconBell, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Empty, Loading, Shown } from '../../../ui/states.tsx'
import { Part, Parts, Rows } from '../shared/section.tsx'
import { ShownOnce } from '../shared/shown-once.tsx'
import { AlertRow } from './alert-row.tsx'
import { useAlerts, useSubscriptions } from './api.ts'
import { AlertForm } from './form.tsx'
import { SubscriptionRow } from './subscription-row.tsx'

const waiting = (
  <Stack p="md">
    <Loading lines={3} />
  </Stack>
)

export function AlertsSection() {
  const alerts = useAlerts()
  const subscriptions = useSubscriptions()
  const [isMaking, { open, close }] = useDisclosure()
  const [secret, setSecret] = useState<string>()
  const newAlert = (
    <Button leftSection={<IconPlus size={16} />} onClick={open}>
      New alert
    </Button>
  )
  return (
    <Parts>
      <Part
        title="Alerts"
        about="An alert watches an insight and tells you when its number leaves the bounds, and when it is back."
        isFlush
        actions={newAlert}
      >
        <Shown of={alerts} waiting={waiting}>
          {({ results }) =>
            results.length === 0 ? (
              <Empty icon={IconBell} title="No alerts yet" action={newAlert}>
                Choose an insight and a threshold, and where to tell: a webhook or an e-mail.
              </Empty>
            ) : (
              <Rows>
                {results.map((alert) => (
                  <AlertRow key={alert.id} alert={alert} onSecret={setSecret} />
                ))}
              </Rows>
            )
          }
        </Shown>
      </Part>
      <Part
        title="Subscriptions"
        about="Numbers of a dashboard or an insight, sent every day, week or month."
        isFlush
      >
        <Shown of={subscriptions} waiting={waiting}>
          {({ results }) =>
            results.length === 0 ? (
              <Text size="sm" c="dimmed" p="md">
                No subscriptions yet. They are made with POST /api/projects/…/subscriptions: see the
                API reference.
              </Text>
            ) : (
              <Rows>
                {results.map((subscription) => (
                  <SubscriptionRow
                    key={subscription.id}
                    subscription={subscription}
                    onSecret={setSecret}
                  />
                ))}
              </Rows>
            )
          }
        </Shown>
      </Part>
      <Modal opened={isMaking} onClose={close} title="New alert" size="lg">
        <AlertForm
          onDone={({ signing_secret, targets }) => {
            close()
            if (targets.some(({ type }) => type === 'webhook')) setSecret(signing_secret)
          }}
        />
      </Modal>
      <Modal
        opened={secret !== undefined}
        onClose={() => setSecret(undefined)}
        title="Signing secret"
        size="lg"
      >
        <ShownOnce value={secret ?? ''} noun="secret">
          <Text size="sm">
            Each webhook is signed with it, so that the receiver can tell it from a forgery.
          </Text>
          <Button onClick={() => setSecret(undefined)}>Done</Button>
        </ShownOnce>
      </Modal>
    </Parts>
  )
}
