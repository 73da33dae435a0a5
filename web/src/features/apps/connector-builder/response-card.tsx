import { Alert, Badge, Box, Group, Stack, Text, Title } from '@mantine/core'
import type { DraftResponse } from '#server/features/import-apps/drafts/schema.ts'
import { Card } from '../../../ui/page/card.tsx'
import { STATUS_COLORS } from '../../../ui/page/status-color.ts'
import { toItemPath } from '../requests/mapping.ts'
import { toSize } from '../requests/request-facts.ts'
import { ValueMenu, type ValueUse } from '../requests/value-menu.tsx'
import { ValueTree } from '../requests/value-tree.tsx'
import classes from './builder.module.css'
import type { Draft } from './draft.ts'
import type { Condition } from './narrow.ts'
import { ROLES } from './roles.ts'

const SHOWN_CHARS = 2000

interface ResponseCardProps {
  readonly response: DraftResponse
  /** undefined if the response has no values to choose. */
  readonly content: object | undefined
  readonly draft: Draft
  readonly onChange: (fields: Partial<Draft>) => void
}

/** The response, with a menu at each value that says what it can be. */
export function ResponseCard({ response, content, draft, onChange }: ResponseCardProps) {
  const { status, body } = response
  const isError = status >= 400
  return (
    <Card p="lg">
      <Stack gap="sm" role="region" aria-label="Response">
        <Group gap="xs">
          <Title order={2}>Response</Title>
          <Badge color={STATUS_COLORS[isError ? 'error' : 'success']}>{status}</Badge>
          <Text size="sm" c="dimmed">
            {toSize(body.length)}
          </Text>
        </Group>
        {content === undefined ? (
          <>
            <Alert color={isError ? 'red' : 'yellow'}>
              {isError
                ? `The API responded with status ${status}. Check the address and the key.`
                : 'The response is not JSON with a list. Check the address.'}
            </Alert>
            {body !== '' && <pre className={classes.body}>{body.slice(0, SHOWN_CHARS)}</pre>}
          </>
        ) : (
          <Values content={content} draft={draft} onChange={onChange} />
        )}
      </Stack>
    </Card>
  )
}

type ValuesProps = Omit<ResponseCardProps, 'response' | 'content'> & { readonly content: object }

function Values({ content, draft, onChange }: ValuesProps) {
  const actions = (value: unknown, keys: readonly string[]) => {
    const path = keys.join('.')
    return <ValueMenu path={path} uses={listUses({ content, draft, onChange }, value, keys)} />
  }
  return (
    <>
      <Text size="sm" c="dimmed">
        The menu of a value says what it is: the list of records, and in a record its ID, person and
        time.
      </Text>
      <Box className={classes.response}>
        <ValueTree value={content} actions={actions} />
      </Box>
    </>
  )
}

/** Lists what a value can be: a list has records, and each value of a record a role. */
function listUses(
  { content, draft: { list, roles, filter }, onChange }: ValuesProps,
  value: unknown,
  keys: readonly string[],
): ValueUse[] {
  if (Array.isArray(value) && !keys.some((key) => key.includes('.'))) {
    const path = keys.join('.')
    const onUse = () => onChange({ list: path, roles: {} })
    return [{ name: 'List', action: 'Use as list', isUsed: list === path, onUse }]
  }
  if (list === undefined || !/^(string|number)$/.test(typeof value)) return []
  const path = toItemPath(content, list, keys)
  if (path === undefined) return []
  const condition: Condition = { path, comparison: 'is', value: String(value) }
  return [
    ...ROLES.map(({ role, name, action }) => ({
      ...{ name, action, isUsed: roles[role] === path },
      onUse: () => onChange({ roles: { ...roles, [role]: path } }),
    })),
    {
      ...{ name: 'Filter', action: 'Use as filter' },
      isUsed: filter.some((one) => one.path === path && one.value === condition.value),
      onUse: () => onChange({ filter: [...filter, condition] }),
    },
  ]
}
