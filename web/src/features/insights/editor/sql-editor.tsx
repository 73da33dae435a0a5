import { sql } from '@codemirror/lang-sql'
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { Prec } from '@codemirror/state'
import { EditorView, keymap, placeholder } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { basicSetup } from 'codemirror'
import { useEffect, useRef } from 'react'
import { readNonce } from '../../../ui/nonce.ts'
import { completeFrom, type SqlNames } from './sql-completion.ts'
import classes from './sql-editor.module.css'

interface SqlEditorProps {
  readonly text: string
  readonly names: SqlNames
  readonly onChange: (text: string) => void
  readonly onRun: () => void
}

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--sql-keyword)', fontWeight: '500' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--sql-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--sql-number)' },
  { tag: [tags.lineComment, tags.blockComment], color: 'var(--mantine-color-dimmed)' },
])

/** Loaded when somebody writes SQL: it is as large as all of the rest. */
export default function SqlEditor(props: SqlEditorProps) {
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const latest = useRef(props)
  latest.current = props

  useEffect(() => {
    if (!place.current) return
    const language = sql({ upperCaseKeywords: false })
    const run = () => {
      latest.current.onRun()
      return true
    }
    const made = new EditorView({
      parent: place.current,
      doc: latest.current.text,
      extensions: [
        EditorView.cspNonce.of(readNonce()),
        Prec.highest(keymap.of([{ key: 'Mod-Enter', run }])),
        basicSetup,
        language,
        language.language.data.of({ autocomplete: completeFrom(() => latest.current.names) }),
        syntaxHighlighting(colours),
        placeholder('select event, count() from events group by event'),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': 'SQL query' }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) latest.current.onChange(update.state.doc.toString())
        }),
      ],
    })
    view.current = made
    return () => made.destroy()
  }, [])

  useEffect(() => {
    const doc = view.current?.state.doc.toString()
    if (doc === undefined || doc === props.text) return
    view.current?.dispatch({ changes: { from: 0, to: doc.length, insert: props.text } })
  }, [props.text])

  return <div ref={place} className={classes.editor} />
}
