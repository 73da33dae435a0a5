import { Button, FileButton, Group, Stack, Text, Textarea } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'

export interface Members {
  /** Distinct IDs, one per line. */
  readonly text: string
  /** A CSV file, instead of the text. */
  readonly file: File | undefined
}

/** Reads one distinct ID per line. */
export const toDistinctIds = (text: string): string[] => [
  ...new Set(text.split('\n').flatMap((line) => line.trim() || [])),
]

interface MemberFieldsProps {
  readonly value: Members
  readonly onChange: (value: Members) => void
}

export function MemberFields({ value: { text, file }, onChange }: MemberFieldsProps) {
  return (
    <Stack gap="xs">
      <Textarea
        label="Distinct IDs"
        description="One per line. Persons who have not been seen yet join with their first event."
        placeholder={'ada@example.com\nuser-42'}
        autosize
        minRows={4}
        maxRows={12}
        spellCheck={false}
        disabled={file !== undefined}
        value={text}
        onChange={(event) => onChange({ text: event.currentTarget.value, file })}
      />
      <Group gap="xs">
        <FileButton
          accept="text/csv,.csv"
          inputProps={{ 'aria-label': 'CSV file' }}
          onChange={(chosen) => onChange({ text, file: chosen ?? undefined })}
        >
          {(props) => (
            <Button {...props} size="xs" variant="default" leftSection={<IconUpload size={14} />}>
              Choose CSV file
            </Button>
          )}
        </FileButton>
        {file ? (
          <>
            <Text size="sm">{file.name}</Text>
            <Button
              size="xs"
              variant="subtle"
              color="gray"
              onClick={() => onChange({ text, file: undefined })}
            >
              Remove file
            </Button>
          </>
        ) : (
          <Text size="xs" c="dimmed">
            With a column “distinct_id” or “person_id”.
          </Text>
        )}
      </Group>
    </Stack>
  )
}
