/** The version of a platform's API that an adapter was written for. */
export interface ApiVersion {
  readonly name: string;
  /** The day (ISO 8601) from which the platform no longer serves it; absent where none is announced. */
  readonly sunsetOn?: string;
}
