import { Button, Group, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { saveFile } from '../../../../ui/page/save-file.ts'
import { SecretOnce } from '../../../../ui/page/secret-once.tsx'

interface RecoveryCodesProps {
  readonly codes: readonly string[]
  readonly onClose: () => void
}

/** Shows new recovery codes, which nobody can see again. */
export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  const text = codes.join('\n')
  const save = () =>
    saveFile('hedgerow-recovery-codes.txt', `Recovery codes of Hedgerow\n${text}\n`, 'text/plain')
  return (
    <SecretOnce value={text} noun="recovery codes">
      <Text size="sm">
        If you lose your authenticator app, each code signs you in once. Keep them apart from your
        password.
      </Text>
      <Group justify="space-between">
        <Button variant="default" leftSection={<IconDownload size={16} />} onClick={save}>
          Download codes
        </Button>
        <Button onClick={onClose}>Done</Button>
      </Group>
    </SecretOnce>
  )
}
