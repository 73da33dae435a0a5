import { Modal, Stack, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { CAN_EDIT } from '#model/levels.ts'
import { MoreLinks } from './more-links.tsx'

interface InsightShareDialogProps {
  readonly insight: { readonly id: number; readonly effective_privilege_level: number }
  readonly onClose: () => void
}

/** Shares one insight with people who do not sign in. */
export default function InsightShareDialog({ insight, onClose }: InsightShareDialogProps) {
  const isPhone = useMediaQuery('(max-width: 480px)')
  return (
    <Modal opened onClose={onClose} title="Share" size={560} fullScreen={isPhone ?? false}>
      <Stack gap="lg">
        <Text size="sm" c="dimmed">
          Each link shows only this insight, as it is saved. No sign-in needed.
        </Text>
        <MoreLinks
          target={{ kind: 'insight', id: insight.id }}
          title="Public links"
          canChange={insight.effective_privilege_level === CAN_EDIT}
        />
      </Stack>
    </Modal>
  )
}
