import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { saveFile } from '../../../ui/page/save-file.ts'

interface ExportButtonProps {
  /** The name of the file. */
  readonly name: string
  readonly load: () => Promise<string>
  readonly title?: string
}

/** Saves rows as a CSV file. */
export function ExportButton({ name, load, title }: ExportButtonProps) {
  const exporting = useMutation({
    mutationFn: load,
    onSuccess: (text) => saveFile(name, text, 'text/csv'),
  })
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconDownload size={14} />}
      title={title}
      loading={exporting.isPending}
      onClick={() => exporting.mutate()}
    >
      Export CSV
    </Button>
  )
}
