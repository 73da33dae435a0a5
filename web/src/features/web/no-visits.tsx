import { IconWorld } from '@tabler/icons-react'
import { ConnectButton } from '../../ui/page/connect-button.tsx'
import { EmptyState } from '../../ui/page/states.tsx'

/** Says how to send page views. */
export const NoVisits = () => (
  <EmptyState icon={IconWorld} title="No page views in these dates" action={<ConnectButton />}>
    Add the snippet to your site: it sends page views, which appear here within seconds. Are there
    older ones? Choose other dates above.
  </EmptyState>
)
