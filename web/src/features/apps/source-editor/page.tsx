import { Alert } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { getRouteApi, Link } from '@tanstack/react-router'
import { isAdmin, useMe } from '../../../api/session.ts'
import { Page } from '../../../ui/page/page.tsx'
import { QueryContent } from '../../../ui/page/states.tsx'
import classes from '../apps.module.css'
import { useInstall, useInstalledApps, useSource, useUpdateSource } from '../gallery/api.ts'
import { SourceEditor } from './source-editor.tsx'
import { STARTER } from './starter.ts'

const route = getRouteApi('/project/$projectId/apps/source')

/** Edits the source of an installed app, or creates a new app. */
export function AppSourcePage() {
  const { plugin } = route.useSearch()
  if (!isAdmin(useMe())) {
    return (
      <Page title="App source">
        <Alert color="gray" icon={<IconLock size={18} />}>
          Only admins can install apps and edit their source.
        </Alert>
      </Page>
    )
  }
  return plugin === undefined ? <NewSource /> : <InstalledSource key={plugin} id={plugin} />
}

const GalleryLink = () => (
  <Link className={classes.back} to="/project/$projectId/apps/gallery" params={route.useParams()}>
    gallery
  </Link>
)

function useToGallery(): () => void {
  const navigate = route.useNavigate()
  const params = route.useParams()
  return () => void navigate({ to: '/project/$projectId/apps/gallery', params })
}

function NewSource() {
  const install = useInstall()
  const toGallery = useToGallery()
  return (
    <SourceEditor
      title="New app"
      about={
        <>
          Start from a working app that counts the stars of GitHub repositories. After installation
          it appears in the <GalleryLink />.
        </>
      }
      files={STARTER}
      verb="Install app"
      error={install.error}
      isSaving={install.isPending}
      onSave={(files) => install.mutate({ plugin_type: 'source', files }, { onSuccess: toGallery })}
    />
  )
}

function InstalledSource({ id }: { readonly id: number }) {
  const source = useSource(id)
  const update = useUpdateSource(id)
  const name = useInstalledApps().data?.find((plugin) => plugin.id === id)?.name ?? 'App'
  return (
    <QueryContent query={source}>
      {(files) => (
        <SourceEditor
          title={`${name} source`}
          about={
            <>
              Saved changes apply to the next run of every import app that uses it. Back to the{' '}
              <GalleryLink />.
            </>
          }
          files={files}
          verb="Save source"
          error={update.error}
          isSaving={update.isPending}
          onSave={(changed) => {
            const removed = Object.keys(files).filter((file) => !Object.hasOwn(changed, file))
            const nulls = Object.fromEntries(removed.map((file) => [file, null]))
            update.mutate({ ...changed, ...nulls })
          }}
          isSaved={update.isSuccess}
        />
      )}
    </QueryContent>
  )
}
