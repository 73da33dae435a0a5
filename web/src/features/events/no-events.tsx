import { IconBolt } from '@tabler/icons-react'
import { ConnectButton } from '../../ui/page/connect-button.tsx'
import { EmptyState } from '../../ui/page/states.tsx'

export const NoEvents = () => (
  <EmptyState icon={IconBolt} title="Waiting for the first event" action={<ConnectButton />}>
    Send events from a site or program, or import them. They appear here as they arrive.
  </EmptyState>
)
