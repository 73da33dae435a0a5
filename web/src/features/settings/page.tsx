import { Select, Stack } from '@mantine/core'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useProjectId } from '../../api/project.ts'
import { Page } from '../../ui/page.tsx'
import { SECTIONS } from './sections.ts'
import classes from './settings.module.css'

const TO = '/project/$projectId/settings/$section'

export function SettingsPage() {
  const { section } = useParams({ from: '/project/$projectId/settings/$section' })
  const projectId = `${useProjectId()}`
  const navigate = useNavigate()
  const {
    key,
    label: name,
    component: Section,
  } = SECTIONS.find((each) => each.key === section) ?? SECTIONS[0]
  return (
    <Page title="Settings" documentTitle={`${name} · Settings`} width="wide">
      <Select
        hiddenFrom="sm"
        mb="md"
        aria-label="Settings section"
        allowDeselect={false}
        data={SECTIONS.map(({ key: value, label }) => ({ value, label }))}
        value={key}
        onChange={(chosen) =>
          void navigate({ to: TO, params: { projectId, section: chosen ?? key } })
        }
      />
      <div className={classes.columns}>
        <Stack
          component="nav"
          aria-label="Settings"
          gap={2}
          visibleFrom="sm"
          className={classes.nav}
        >
          {SECTIONS.map(({ key: each, label, icon: Icon }) => (
            <Link
              key={each}
              to={TO}
              params={{ projectId, section: each }}
              className={classes.link}
              data-active={each === key || undefined}
              aria-current={each === key ? 'page' : undefined}
            >
              <Icon size={16} stroke={1.6} aria-hidden />
              {label}
            </Link>
          ))}
        </Stack>
        <div className={classes.content}>
          <Section />
        </div>
      </div>
    </Page>
  )
}
