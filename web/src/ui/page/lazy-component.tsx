import { type ComponentType, createElement, lazy, Suspense } from 'react'

/** A component whose code loads when it is first rendered. */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const Loaded: ComponentType<Props> = lazy(async () => ({ default: await load() }))
  return (props) => <Suspense fallback={null}>{createElement(Loaded, props)}</Suspense>
}
