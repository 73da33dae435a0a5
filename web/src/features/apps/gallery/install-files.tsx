import { Alert, Button, FileButton, Modal, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconFileZip, IconFolder } from '@tabler/icons-react'
import { useState } from 'react'
import { notify } from '../../../ui/dialog/notify.ts'
import { useInstall } from './api.ts'
import { readChosenArchive, readChosenFolder } from './app-files.ts'

interface InstallProps {
  readonly opened: boolean
  readonly onClose: () => void
}

/** Reads the files in the browser and sends their texts. */
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
      notify({ message: `${plugin.name} installed.` })
      close()
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <Modal opened={opened} onClose={close} title="Install from folder or .tgz file">
      <Stack>
        <Text size="sm">
          Choose a folder created by <code>hedgerow app new</code>, or its <code>npm pack</code>{' '}
          archive. Tests and dependencies are skipped.
        </Text>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <FileButton
            multiple
            inputProps={{ ...FOLDER, 'aria-label': 'Folder' }}
            onChange={(files) => files.length > 0 && void installFrom(readChosenFolder(files))}
          >
            {(props) => (
              <Button
                {...props}
                variant="default"
                loading={install.isPending}
                leftSection={<IconFolder size={16} />}
              >
                Choose folder
              </Button>
            )}
          </FileButton>
          <FileButton
            accept=".tgz,.tar.gz"
            inputProps={{ 'aria-label': 'Archive' }}
            onChange={(file) => file && void installFrom(readChosenArchive(file))}
          >
            {(props) => (
              <Button
                {...props}
                variant="default"
                loading={install.isPending}
                leftSection={<IconFileZip size={16} />}
              >
                Choose .tgz file
              </Button>
            )}
          </FileButton>
        </SimpleGrid>
        {problem && (
          <Alert color="red" role="alert" title="Installation failed">
            <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
              {problem}
            </Text>
          </Alert>
        )}
        <Text size="sm" c="dimmed">
          To reload a folder after each change, run <code>hedgerow app install</code> on the server.
        </Text>
      </Stack>
    </Modal>
  )
}

/** Missing in React's types, but passed on. */
const FOLDER = { webkitdirectory: '' } as object
