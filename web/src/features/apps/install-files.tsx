import { Alert, Button, FileButton, Group, Modal, Stack, Text } from '@mantine/core'
import { IconFileZip, IconFolder } from '@tabler/icons-react'
import { useState } from 'react'
import { notify } from '../../ui/notify.ts'
import { readArchive, readFolder } from './app-files.ts'
import { useInstall } from './plugins-api.ts'

interface InstallProps {
  readonly opened: boolean
  readonly onClose: () => void
}

/** Read here, in the browser: what is sent are the texts of the app. */
export function InstallFiles({ opened, onClose }: InstallProps) {
  const install = useInstall()
  const [problem, setProblem] = useState('')
  const close = () => {
    setProblem('')
    onClose()
  }
  const installFrom = async (read: Promise<Readonly<Record<string, string>>>) => {
    setProblem('')
    try {
      const plugin = await install.mutateAsync({ plugin_type: 'source', files: await read })
      notify({ message: `${plugin.name} is installed.` })
      close()
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <Modal opened={opened} onClose={close} title="Install from a folder or a .tgz file">
      <Stack>
        <Text size="sm">
          The folder that <code>hedgerow app new</code> makes, or what <code>npm pack</code> makes
          of one. Tests and dependencies are left out.
        </Text>
        <Group grow>
          <FileButton
            multiple
            inputProps={{ ...FOLDER, 'aria-label': 'Folder' }}
            onChange={(files) => files.length > 0 && void installFrom(readFolder(files))}
          >
            {(props) => (
              <Button
                {...props}
                variant="default"
                loading={install.isPending}
                leftSection={<IconFolder size={16} />}
              >
                Choose a folder
              </Button>
            )}
          </FileButton>
          <FileButton
            accept=".tgz,.tar.gz"
            inputProps={{ 'aria-label': 'Archive' }}
            onChange={(file) => file && void installFrom(readArchive(file))}
          >
            {(props) => (
              <Button
                {...props}
                variant="default"
                loading={install.isPending}
                leftSection={<IconFileZip size={16} />}
              >
                Choose a .tgz file
              </Button>
            )}
          </FileButton>
        </Group>
        {problem && (
          <Alert color="red" role="alert" title="It was not installed">
            <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
              {problem}
            </Text>
          </Alert>
        )}
        <Text size="sm" c="dimmed">
          To have the server read the folder again after each change, use{' '}
          <code>hedgerow app install</code> on its machine instead.
        </Text>
      </Stack>
    </Modal>
  )
}

/** React knows no such attribute by type, but passes it on. */
const FOLDER = { webkitdirectory: '' } as object
