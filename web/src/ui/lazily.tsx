import { type ComponentType, createElement, lazy, Suspense } from 'react'

/** Loaded when it is first shown: for what few people open, nobody waits. */
export function lazily<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const Loaded: ComponentType<Props> = lazy(async () => ({ default: await load() }))
  return (props) => <Suspense fallback={null}>{createElement(Loaded, props)}</Suspense>
}
