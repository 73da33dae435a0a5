/** What a dashboard is made from: the same for what is built in, stored, or sent. */
export interface Template {
  /** What a dashboard is called that is made without a name. */
  readonly name: string
  readonly description: string
  readonly filters: object
  readonly tags: readonly string[]
  readonly tiles: readonly TemplateTile[]
}

export type TemplateTile = InsightTile | TextTile

export interface InsightTile {
  readonly type: 'INSIGHT'
  readonly name: string
  readonly description: string
  readonly query: object
  readonly color: string | null
  readonly layouts: object
}

export interface TextTile {
  readonly type: 'TEXT'
  readonly body: string
  readonly color: string | null
  readonly layouts: object
}
