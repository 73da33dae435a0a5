import { Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { lazy, Suspense } from 'react'
import { Loading } from '../../ui/page/states.tsx'

const ShareContent = lazy(() => import('./share-content.tsx'))

interface ShareDialogProps {
  readonly dashboardId: number
  readonly opened: boolean
  readonly onClose: () => void
}

export function ShareDialog({ dashboardId, opened, onClose }: ShareDialogProps) {
  const isPhone = useMediaQuery('(max-width: 480px)')
  return (
    <Modal opened={opened} onClose={onClose} title="Share" size={560} fullScreen={isPhone ?? false}>
      <Suspense fallback={<Loading />}>
        <ShareContent dashboardId={dashboardId} />
      </Suspense>
    </Modal>
  )
}
