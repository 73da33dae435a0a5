import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './page-tabs.module.css'

interface PageTabsProps<Tab extends string> {
  /** Accessible name: "Person sections". */
  readonly label: string
  readonly panels: readonly (readonly [Tab, string, ReactNode])[]
  readonly value: Tab
  readonly onChange: (tab: Tab) => void
  /** The tab that keeps unsaved input while another one is open. */
  readonly kept?: Tab
}

/** Scrolls the open tab into view: on a phone, the row of tabs is wider than the screen. */
const showWhole = (tab: HTMLElement | null): void =>
  tab?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' })

/** The sections of a page, of which one is shown. */
export const PageTabs = <Tab extends string>(props: PageTabsProps<Tab>) => (
  <Tabs
    value={props.value}
    onChange={(next) => next && props.onChange(next as Tab)}
    keepMounted={false}
  >
    <Tabs.List className={classes.tabs ?? ''} mb="md" aria-label={props.label}>
      {props.panels.map(([value, label]) => (
        <Tabs.Tab key={value} value={value} {...(value === props.value && { ref: showWhole })}>
          {label}
        </Tabs.Tab>
      ))}
    </Tabs.List>
    {props.panels.map(([value, , panel]) => (
      <Tabs.Panel key={value} value={value} keepMounted={value === props.kept}>
        {panel}
      </Tabs.Panel>
    ))}
  </Tabs>
)
